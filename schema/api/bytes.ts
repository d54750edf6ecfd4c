/** Addresses that return or take bytes instead of JSON: pictures, streams, files. */
import { z } from 'zod'
import { bytePaths, imageFormats, imageSizes } from '../addresses.ts'
import type { AccessRule } from './contract.ts'
import { atMost, byId, collectionNumber, idNumber, numberText, shortText, unlocked } from './contract.ts'
import { fileManagerPath, fileManagerQuery } from './file-manager.ts'
import { filterQuery } from './items.ts'
import { linkKey } from './shares.ts'

const imageQuery = z.object({
  pThumbnail: z.enum(imageSizes).optional(),
  pFormat: z.enum(imageFormats).optional(),
  /** Both parameters only make the address unique; a response to `reloads` may be cached. */
  rotation: z.string().max(20).optional(),
  reloads: z.string().max(100).optional(),
})
export type ImageQuery = z.output<typeof imageQuery>

const itemRule: AccessRule = { who: 'all', on: { thing: 'item', right: 'view' }, refused: [400, 404] }
/** 403: AVIF and PNG are not made for visitors, shares and devices. */
const imageRule: AccessRule = { ...itemRule, refused: [400, 403, 404] }

/** Declared like calls, so that the rights matrix and OpenAPI know them; files in `server` mount them one by one. */
export const byteRoutes = {
  image: {
    method: 'GET',
    path: bytePaths.image,
    summary: 'A picture of an item in a size and format. AVIF and PNG only for callers who are signed in.',
    rule: imageRule,
    params: byId,
    query: imageQuery,
  },
  stream: {
    method: 'GET',
    path: bytePaths.stream,
    summary: "A video, or a live photo's motion part; answers ranges.",
    rule: itemRule,
    params: byId,
    query: z.object({ reloads: z.string().max(100).optional() }),
  },
  sharedImage: {
    method: 'GET',
    path: bytePaths.sharedImage,
    summary: 'A shared picture as JPEG or WebP, without its metadata.',
    rule: { who: 'all', refused: [400, 403, 404] },
    params: z.object({ name: z.string() }),
    query: imageQuery,
  },
  sharedStream: {
    method: 'GET',
    path: bytePaths.sharedStream,
    summary: 'A shared video, or motion part, without its metadata; supports ranges.',
    rule: { who: 'all', refused: [400, 404] },
    params: z.object({ name: z.string() }),
    query: z.object({ reloads: z.string().max(100).optional() }),
  },
  linkImage: {
    method: 'GET',
    path: bytePaths.linkImage,
    summary: 'A picture of a link as JPEG or WebP, without its metadata.',
    rule: { who: 'all', refused: [400, 403, 404] },
    params: z.object({ name: z.string(), id: idNumber }),
    query: imageQuery.extend(linkKey),
  },
  linkStream: {
    method: 'GET',
    path: bytePaths.linkStream,
    summary: 'A video, or motion part, of a link, without its metadata; supports ranges.',
    rule: { who: 'all', refused: [400, 404] },
    params: z.object({ name: z.string(), id: idNumber }),
    query: z.object(linkKey),
  },
  linkDownload: {
    method: 'GET',
    path: bytePaths.linkDownload,
    summary: 'The items of a link, as a zip: originals if the link says so, else renditions without metadata.',
    rule: { who: 'all', refused: [400, 404, 413, 429] },
    params: z.object({ name: z.string() }),
    query: z.object(linkKey),
  },
  download: {
    method: 'GET',
    path: bytePaths.download,
    summary: 'Originals of the items that a filter finds, as a zip.',
    rule: { who: 'signedIn', refused: [400, 401, 404, 413, 429] },
    params: z.object({ collectionId: collectionNumber }),
    query: filterQuery.extend({
      /** Ids of the only items to return, joined by commas. */
      items: z
        .string()
        .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'items are ids joined by commas')
        .max(200_000)
        .optional(),
    }),
  },
  slideshow: {
    method: 'GET',
    path: bytePaths.slideshow,
    summary: 'A slideshow that was built for the caller.',
    rule: { who: 'signedIn', on: { thing: 'build', right: 'owner' }, refused: [401, 404] },
    params: z.object({ fileid: z.string().max(100) }),
    query: z.object({}),
  },
  exportPeople: {
    method: 'GET',
    path: bytePaths.exportPeople,
    summary: 'All people with their names as people.json.',
    rule: { who: 'globalAdmin', refused: [401, 403] },
    params: z.object({}),
    query: z.object({}),
  },
  exportCollection: {
    method: 'GET',
    path: bytePaths.exportCollection,
    summary: 'A collection as CSV.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [400, 401, 403, 404] },
    params: byId,
    query: unlocked,
  },
  pluginFile: {
    method: 'GET',
    path: '/v1/plugin/:id/file/:element/:file',
    summary: 'A file of an active plugin that its manifest names.',
    rule: { who: 'all', refused: [404] },
    params: z.object({ id: idNumber, element: z.string().max(100), file: z.string().max(200) }),
    query: z.object({
      /** The plugin's `reloads`: with this value, the file may be cached. */
      v: z.string().max(100).optional(),
    }),
  },
  upload: {
    method: 'POST',
    path: bytePaths.upload,
    summary: 'Adds a file to a collection: the body is its content, its name a parameter. Returns the item.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'create' }, refused: [400, 401, 403, 404, 409, 413] },
    params: z.object({ collectionId: idNumber }),
    query: z.object({
      name: z
        .string()
        .min(1, 'name is required')
        .max(...atMost('Name', 255)),
      /** Milliseconds since the epoch: when the source file was last changed. */
      modified: numberText(/^\d{1,15}$/, 'modified is milliseconds since 1970', z.int()).optional(),
      /** Directory within the collection; default: its root. A managed collection sorts the file by its own format. */
      folder: shortText('Folder', 1000).optional(),
    }),
  },
  plan: {
    method: 'POST',
    path: '/v1/plan',
    summary:
      'Plans work on files: scan, transfer, import, importMetadata, exportMetadata. Streams lines of JSON: {"line"} for each file, then {"end"} or {"failure"}.',
    rule: { who: 'signedIn', refused: [400, 401, 403, 404, 429] },
    params: z.object({}),
    query: z.object({}),
  },
  files: {
    method: 'GET',
    path: fileManagerPath,
    summary:
      'The file manager: q=index, subfolders, search, preview and download read; q=newfolder, newfile, rename, move, delete, archive and unarchive change something. A change needs a Bearer token, or the cookie together with X-CSRF-Token, with _csrf, or with the headers that a browser adds for a script of our own page (Sec-Fetch-Site: same-origin, Sec-Fetch-Dest: empty).',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409, 413, 429] },
    params: z.object({}),
    query: fileManagerQuery,
  },
  filesChange: {
    method: 'POST',
    path: fileManagerPath,
    summary:
      'The file manager: the same actions as with GET, and q=save and q=upload. Parameters are in the address, or in the body as a form or JSON.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409, 413, 429] },
    params: z.object({}),
    query: fileManagerQuery,
  },
} as const
