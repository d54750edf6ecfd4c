/** Uploads. Only signed-in users have them, so their code is loaded after the login. */
import { createPart } from '../app/loading/part.ts'
import { loadStyle } from '../kit/load-style.ts'
import style from './uploads.css' with { type: 'file' }

export const { part: uploadsPart, load: loadUploadsPart } = createPart(async () => {
  const [{ startUpload, watchUploads }, { Uploads }] = await Promise.all([
    import('./uploads.ts'),
    import('./uploads-screen.tsx'),
    loadStyle(style),
  ])
  watchUploads()
  return { Uploads, startUpload }
})
