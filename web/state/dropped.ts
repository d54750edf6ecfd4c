/** What somebody dropped or picked: files, and what is in folders, with the folder that each lies in. */
import { folderOfPath, mayBePicture } from './upload-queue.ts'

export interface Chosen {
  files: readonly { file: File; folder: string }[]
  /** How many were neither pictures nor films. */
  leftOut: number
}

/** Does this drag bring files? Pictures of the page itself are dragged as files by some browsers: those are none. */
export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true && !transfer.types.includes('text/html')
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

/** A directory answers some hundred entries at a time, and none when it is through. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return all
    all.push(...some)
  }
}

async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<{ file: File; folder: string }> {
  if (isFile(entry)) {
    const file = await new Promise<File>((done, fail) => entry.file(done, fail))
    yield { file, folder: folderOfPath(entry.fullPath) }
  } else if (isDirectory(entry) && !entry.name.startsWith('.')) {
    for (const inner of await entriesOf(entry)) yield* filesBelow(inner)
  }
}

function sorted(all: readonly { file: File; folder: string }[]): Chosen {
  const files = all.filter(({ file }) => mayBePicture(file.name, file.size))
  return { files, leftOut: all.length - files.length }
}

/** Everything that was dropped. What the transfer holds is gone when the event is over: it is taken at once. */
export async function droppedFiles(transfer: DataTransfer): Promise<Chosen> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const entries = items.map(item => item.webkitGetAsEntry())
  const plain = [...transfer.files]
  const all: { file: File; folder: string }[] = []
  for (const [place, entry] of entries.entries()) {
    const file = plain[place]
    // Some browsers know no entries, and of what comes from another program there may be none.
    if (entry === null) {
      if (file !== undefined) all.push({ file, folder: '' })
    } else {
      for await (const found of filesBelow(entry)) all.push(found)
    }
  }
  return sorted(all)
}

function pickedFiles(list: FileList): Chosen {
  return sorted([...list].map(file => ({ file, folder: folderOfPath(file.webkitRelativePath) })))
}

/** Asks for files, or for a folder; has to be called within a press. Answers when some were chosen. */
export function pickFiles({ folder = false } = {}): Promise<Chosen> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  if (folder) input.webkitdirectory = true
  // Phones offer the camera and the pictures for this; RAW files and the like are asked for by their endings.
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
