/** Reads dropped or picked files and folders, each file with its folder. */

import type { ChosenFiles } from '../app/dialogs.ts'
import { droppedTree, pickedFiles } from '../kit/dropped-tree.ts'
import { mayBePicture } from './upload-queue.ts'

function chosenOf(all: readonly { file: File; folder: string }[]): ChosenFiles {
  const files = all.filter(({ file }) => mayBePicture(file.name, file.size))
  return { files, skippedCount: all.length - files.length }
}

/** Dropped files that may be pictures or films. Must be called during the event: the transfer is empty afterwards. */
export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFiles> {
  return chosenOf((await droppedTree(transfer, Number.POSITIVE_INFINITY)).files)
}

/** Opens the file or folder picker; must be called during a press. Resolves when files were chosen. */
export function pickFiles({ folder = false } = {}): Promise<ChosenFiles> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  if (folder) input.webkitdirectory = true
  // With the types, phones offer the camera and the photo library. The extensions add RAW files and others.
  else
    input.accept = 'image/*,video/*,.heic,.heif,.avif,.jxl,.dng,.cr2,.cr3,.nef,.arw,.orf,.raf,.rw2,.pef,.srw,.mts,.m2ts'
  return new Promise(done => {
    input.addEventListener('change', () => {
      input.remove()
      if (input.files !== null && input.files.length > 0) done(chosenOf(pickedFiles(input.files).files))
    })
    // Some browsers forget an input that is not in the page.
    input.hidden = true
    document.body.append(input)
    addEventListener('focus', () => setTimeout(() => input.remove(), 60_000), { once: true })
    input.click()
  })
}
