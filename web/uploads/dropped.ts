/** What somebody dropped or picked: files, and what is in folders, with the folder that each is in. */

import type { Chosen } from '../app/dialogs.ts'
import { droppedTree } from '../kit/dropped-tree.ts'
import { folderOfPath, mayBePicture } from './upload-queue.ts'

/** Does this drag bring files? Pictures of the page itself are dragged as files by some browsers: those are none. */
export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true && !transfer.types.includes('text/html')
}

function sorted(all: readonly { file: File; folder: string }[]): Chosen {
  const files = all.filter(({ file }) => mayBePicture(file.name, file.size))
  return { files, leftOut: all.length - files.length }
}

/** Everything that was dropped. What the transfer holds is gone when the event is over: it is read at once. */
export async function droppedFiles(transfer: DataTransfer): Promise<Chosen> {
  return sorted((await droppedTree(transfer, Number.POSITIVE_INFINITY)).files)
}

function pickedFiles(list: FileList): Chosen {
  return sorted([...list].map(file => ({ file, folder: folderOfPath(file.webkitRelativePath) })))
}

/** Asks for files, or for a folder; has to be called within a press. Returns when some were chosen. */
export function pickFiles({ folder = false } = {}): Promise<Chosen> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  if (folder) input.webkitdirectory = true
  // Phones offer the camera and the pictures for this; RAW files and the like are requested by their endings.
  else
    input.accept = 'image/*,video/*,.heic,.heif,.avif,.jxl,.dng,.cr2,.cr3,.nef,.arw,.orf,.raf,.rw2,.pef,.srw,.mts,.m2ts'
  return new Promise(done => {
    input.addEventListener('change', () => {
      input.remove()
      if (input.files !== null && input.files.length > 0) done(pickedFiles(input.files))
    })
    // Some browsers forget an input that is nowhere in the page.
    input.hidden = true
    document.body.append(input)
    addEventListener('focus', () => setTimeout(() => input.remove(), 60_000), { once: true })
    input.click()
  })
}
