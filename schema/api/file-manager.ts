/** The file manager's protocol: one address, `q` says what is to be done. */
import { z } from 'zod'
import { limits, product } from '../limits.ts'

export const fileManagerPath = '/v1/files'

/** What only reads, and what changes something and so needs proof that the request comes from our own page. */
export const readingActions = ['index', 'subfolders', 'search', 'preview', 'download'] as const
export const changingActions = [
  'newfolder',
  'newfile',
  'save',
  'rename',
  'move',
  'delete',
  'archive',
  'unarchive',
  'upload',
] as const
/**
 * VueFinder sorts files into storages and writes their name before paths, as long as it does not know it `undefined` or
 * `null`. Here all roots are in one.
 */
export const storageName = product.toLowerCase()
const storagePrefix = new RegExp(`^(?:${storageName}|undefined|null):///?`)

/** A path of the protocol: `keepsake://Photos` and `undefined:///Photos` are `/Photos`. */
const virtualPath = z.string().overwrite(path => path.replace(storagePrefix, '/'))

type ReadingAction = (typeof readingActions)[number]
export type ChangingAction = (typeof changingActions)[number]
export type FileAction = ReadingAction | ChangingAction

/** Something in a folder. */
const fileNode = z.object({
  type: z.enum(['dir', 'file']),
  /** Its virtual path: `/Root name/sub/file`. */
  path: z.string(),
  basename: z.string(),
  /** Virtual path of the folder that it is in. */
  dir: z.string(),
  /** Without the dot; '' where there is none. */
  extension: z.string(),
  /** By its name; '' for folders, `inode/symlink` for links, which are not followed. */
  mime_type: z.string(),
  /** Bytes; 0 for folders. */
  file_size: z.number(),
  /** Seconds since 1970. */
  last_modified: z.number(),
  /** In every listing of the server, for VueFinder; the widget needs none. */
  storage: z.string().optional(),
})
export type FileNode = z.output<typeof fileNode>

export const fileListing = z.object({
  dirname: z.string(),
  files: z.array(fileNode),
  /** In every listing of the server, for VueFinder; the widget needs none. */
  adapter: z.string().optional(),
  storages: z.array(z.string()).optional(),
  /** A search that found more than it tells. */
  truncated: z.boolean().optional(),
})
export type FileListing = z.output<typeof fileListing>

/** What is named to be moved, deleted or packed: `items` is the JSON of such a list. */
export const fileItems = z.array(z.object({ path: virtualPath, type: z.string().optional() }))

/** Sizes of thumbnails that `preview` has of pictures of the library. */
const previewSizes = ['tiny', 'small', 'medium', 'large'] as const

const words = virtualPath.max(20_000, 'The path is too long.').optional()

/** The protocol has no such parameter: where it says nothing to us, it is some client's own, and passed over. */
const ours = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** Every parameter of every action; others are passed over, so that a client may send its own. */
export const fileManagerQuery = z.object({
  q: z.enum([...readingActions, ...changingActions], 'q is no action of the file manager.'),
  /** The folder, or of preview, download and save the file; of upload also a file that is to be replaced. */
  path: words,
  filter: z.string().max(255, 'What is looked for has at most 255 characters.').optional(),
  /** JSON: `[{path, type}]`. */
  items: z.string().max(limits.fileTextBytes, 'These are too many at once.').optional(),
  /** Of rename and unarchive the file, of move the folder to move into. */
  item: words,
  name: z.string().max(2_000, 'The name is too long.').optional(),
  content: z.string().optional(),
  /** ETag of the preview that the content, or the file that replaces it, was made from: one that is another by now stays as it is. */
  version: ours(
    z
      .string()
      .max(300)
      .regex(/^(W\/)?"\d+--?\d+\.\d+.*"$/),
  ),
  /** '1' or 'true': an upload takes the place of a file of its name. */
  overwrite: ours(z.string().max(5)),
  /** Milliseconds since 1970: when the uploaded file was last changed where it came from. */
  modified: ours(z.string().regex(/^\d{1,15}$/)),
  /** A thumbnail instead of the picture, where the library has one. */
  size: ours(z.enum(previewSizes)),
  /** The session's CSRF value, where no header can be sent. */
  _csrf: z.string().max(200).optional(),
})
export type FileManagerQuery = z.output<typeof fileManagerQuery>
