/** Entries of a folder in the format of the protocol. */
import type { FileNode } from '../../schema/api/file-manager.ts'
import { bytesOfRaw } from '../files/names.ts'
import { typeOfName, writtenExtensionOf } from './mime-types.ts'
import { nameOnWire } from './virtual-path.ts'

type EntryKind = 'file' | 'dir' | 'link' | 'other'

export interface EntryFacts {
  /** Bytes of the name, one character each. */
  raw: string
  kind: EntryKind
  size: number
  mtimeSeconds: number
}

const plainAscii = /^[\x20-\x5b\x5d-\x7e]*$/

/** The name of an entry in the encoding of the protocol; plain ASCII, the usual case, costs nothing. */
export function wireNameOf(raw: string): string {
  return plainAscii.test(raw) ? raw : nameOnWire(bytesOfRaw(raw))
}

function typeOf(kind: EntryKind, name: string): string {
  if (kind === 'dir') return ''
  if (kind === 'link') return 'inode/symlink'
  return kind === 'other' ? 'inode/x-special' : typeOfName(name)
}

/** `folder` is the virtual path of the folder that contains the entry. */
export function nodeOf(folder: string, { raw, kind, size, mtimeSeconds }: EntryFacts): FileNode {
  const name = wireNameOf(raw)
  return {
    type: kind === 'dir' ? 'dir' : 'file',
    path: folder === '/' ? `/${name}` : `${folder}/${name}`,
    basename: name,
    dir: folder,
    extension: kind === 'dir' ? '' : writtenExtensionOf(name),
    mime_type: typeOf(kind, name),
    file_size: kind === 'file' ? size : 0,
    last_modified: mtimeSeconds,
  }
}
