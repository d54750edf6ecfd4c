/** Texts about finding faces. Pure. */

import { figure, plural } from '../../../../schema/figures.ts'
import type { FaceFault } from '../../../faces/face-messages.ts'
import type { FaceRun } from './face-recognition.ts'

export const faultTexts: Record<FaceFault, { text: string; detail: string }> = {
  browser: {
    text: 'This browser can’t recognise faces',
    detail: 'It has no WebAssembly, or it is switched off. Boxes can be drawn and named by hand.',
  },
  models: {
    text: 'Face recognition could not be loaded',
    detail: 'It comes from this server: try again when the server can be reached.',
  },
  picture: { text: 'This picture could not be processed', detail: 'It did not load, or there is not enough memory.' },
}

/** The result: '3 faces: 1 named, 2 with a suggestion', 'No faces found'. */
export function resultText(run: Omit<FaceRun, 'ids'> & { ids: { length: number } }): string {
  const { state, ids, done, pictures, faces, named, suggested, learnt, unseen } = run
  const more = [
    named > 0 ? `${figure(named)} named` : '',
    suggested > 0 ? `${figure(suggested)} with a suggestion` : '',
    learnt > 0 ? `${figure(learnt)} learnt` : '',
    unseen > 0 && ids.length > 1 ? `${plural(unseen, 'item')} not looked at` : '',
  ].filter(text => text !== '')
  const found =
    ids.length === 1
      ? faces === 0
        ? 'No faces found'
        : plural(faces, 'face')
      : faces === 0
        ? `No faces found on ${plural(done, 'item')}`
        : `${plural(faces, 'face')} on ${figure(pictures)} of ${plural(done, 'item')}`
  const all = more.length === 0 ? found : `${found}: ${more.join(', ')}`
  if (state !== 'stopped') return all
  return done === 0 ? 'Stopped' : `Stopped. ${all}`
}
