/** Texts about finding faces. Pure. */

import type { FaceFault } from '../../../faces/face-messages.ts'
import { listText } from '../../../kit/words.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import type { FaceRun } from './face-recognition.ts'

export const faultTexts: Record<FaceFault, { text: string; detail: string }> = {
  browser: {
    text: metadataTexts.thisBrowserCantRecogniseFaces,
    detail: metadataTexts.noWebAssembly,
  },
  models: {
    text: metadataTexts.faceRecognitionNotLoaded,
    detail: metadataTexts.faceRecognitionHint,
  },
  picture: { text: metadataTexts.pictureNotProcessed, detail: metadataTexts.pictureNotProcessedHint },
}

/** The result: '3 faces: 1 named, 2 with a suggestion', 'No faces found'. */
export function resultText(run: Omit<FaceRun, 'ids'> & { ids: { length: number } }): string {
  const { state, ids, done, pictures, faces, named, suggested, learnt, unseen } = run
  const more = [
    named > 0 ? metadataTexts.named({ count: named }) : '',
    suggested > 0 ? metadataTexts.withASuggestion({ count: suggested }) : '',
    learnt > 0 ? metadataTexts.learnt({ count: learnt }) : '',
    unseen > 0 && ids.length > 1 ? metadataTexts.itemsNotLookedAt({ count: unseen }) : '',
  ].filter(text => text !== '')
  const found =
    ids.length === 1
      ? faces === 0
        ? metadataTexts.noFacesFound
        : baseTexts.faceCount({ count: faces })
      : faces === 0
        ? metadataTexts.noFacesFoundOnItems({ count: done })
        : metadataTexts.facesFound({ faces: baseTexts.faceCount({ count: faces }), pictures, count: done })
  const all = more.length === 0 ? found : `${found}: ${listText(more)}`
  if (state !== 'stopped') return all
  return done === 0 ? adminTexts.stopped : metadataTexts.stopped({ all })
}
