/** The file manager's protocol: one address; `q` is the action. */
import { z } from 'zod'
import { limits, product } from '../limits.ts'

export const fileManagerPath = '/v1/files'

/** Actions that only read, and actions that change something and need proof that the request comes from our page. */
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
/** VueFinder writes a storage's name before paths (or `undefined`, `null`). There is only one storage for all roots. */
export const storageName = product.toLowerCase()
const storagePrefix = new RegExp(`^(?:${storageName}|undefined|null):///?`)

/** A path of the protocol: `keepsake://Photos` and `undefined:///Photos` are `/Photos`. */
const virtualPath = z.string().overwrite(path => path.replace(storagePrefix, '/'))

type ReadingAction = (typeof readingActions)[number]
export type ChangingAction = (typeof changingActions)[number]
export type FileAction = ReadingAction | ChangingAction

const fileNode = z.object({
  type: z.enum(['dir', 'file']),
  /** Virtual path: `/Root name/sub/file`. */
  path: z.string(),
  basename: z.string(),
  /** Virtual path of the parent folder. */
  dir: z.string(),
  /** Without the dot; '' if there is none. */
  extension: z.string(),
  /** Derived from the name; '' for folders, `inode/…` for links, which are not followed, and for special files. */
  mime_type: z.string(),
  /** Bytes; 0 for folders. */
  file_size: z.number(),
  /** Seconds since 1970. */
  last_modified: z.number(),
  /** Present in every listing, but used only by VueFinder, not by our widget. */
  storage: z.string().optional(),
})
export type FileNode = z.output<typeof fileNode>

export const fileListing = z.object({
  dirname: z.string(),
  files: z.array(fileNode),
  /** Present in every listing, but used only by VueFinder, not by our widget. */
  adapter: z.string().optional(),
  storages: z.array(z.string()).optional(),
  /** Whether the search found more than it returns. */
  truncated: z.boolean().optional(),
})
export type FileListing = z.output<typeof fileListing>

/** Items to move, delete or pack: `items` is the JSON of such a list. */
export const fileItems = z.array(z.object({ path: virtualPath, type: z.string().optional() }))

/** Sizes of thumbnails for `preview` of pictures in the library. */
const previewSizes = ['tiny', 'small', 'medium', 'large'] as const

const pathParameter = virtualPath.max(20_000, 'The path is too long.').optional()

/** A parameter that is not in VueFinder's protocol. Invalid values are ignored: other clients may use the same name. */
const ownParameter = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** Every parameter of every action; others are ignored, so that clients may send additional ones. */
export const fileManagerQuery = z.object({
  q: z.enum([...readingActions, ...changingActions], 'q is no action of the file manager.'),
  /** The folder. For preview, download and save it is the file; for upload it may be a file to replace. */
  path: pathParameter,
  filter: z.string().max(255, 'What is looked for has at most 255 characters.').optional(),
  /** JSON: `[{path, type}]`. */
  items: z.string().max(limits.fileTextBytes, 'Too many at once.').optional(),
  /** For rename and unarchive, the file; for move, the target folder. */
  item: pathParameter,
  name: z.string().max(2_000, 'The name is too long.').optional(),
  content: z.string().optional(),
  /** ETag of the preview that the content is based on; a file that has changed since is not replaced. */
  version: ownParameter(
    z
      .string()
      .max(300)
      .regex(/^(W\/)?"\d+--?\d+\.\d+.*"$/),
  ),
  /** '1' or 'true': an upload replaces a file of the same name. */
  overwrite: ownParameter(z.string().max(5)),
  /** Milliseconds since 1970: when the source file of the upload was last changed. */
  modified: ownParameter(z.string().regex(/^\d{1,15}$/)),
  /** Requests a thumbnail instead of the picture, if the library has one. */
  size: ownParameter(z.enum(previewSizes)),
  /** The session's CSRF value, if the client cannot send a header. */
  _csrf: z.string().max(200).optional(),
})
export type FileManagerQuery = z.output<typeof fileManagerQuery>
