/** Actions on a collection, from any screen: each asks for what it needs, and reports what it did. */
import { requireOutApart } from '../core/collections/apart.ts'
import type { Collection } from '../schema/api/collections.ts'
import type { Job } from '../schema/api/jobs.ts'
import { Failure } from '../schema/errors.ts'
import { plural, sizeText } from '../schema/figures.ts'
import { limits } from '../schema/limits.ts'
import { channels } from '../schema/realtime.ts'
import { findFilterError } from './filter-completion.ts'
import { loadIdsInRange } from './items/item-window.ts'
import type { Binding } from './keys.ts'
import { titleOf } from './parts/job-line.ts'
import { keysFor } from './parts/keys-for.ts'
import type { InputError, Ui } from './ui.ts'

/** The syntax error of a query; null if it is valid. */
async function queryErrorOf({ session: { client } }: Ui, q: string): Promise<InputError | null> {
  if (q === '') return null
  const error = await findFilterError(() => client.items.list({ params: { collectionId: 0 }, query: { q, limit: 1 } }))
  if (error === null) return null
  const { says, at } = error
  // The position comes first, because long texts are cut at their end.
  return { says: at < 0 ? says : `At character ${at + 1}: ${says}`, at }
}

/** The binding of `/`: asks for a query, and shows its items on the items screen. */
export function findItemsKey(ui: Ui): Binding {
  return keysFor(ui, ui)('/', 'find', 'find items', async () => {
    const q = await ui.prompt({
      label: 'Find items',
      hint: 'beach year:2019 person:Anna -type:video … as in the search of the pages.',
      history: 'queries',
      check: text => queryErrorOf(ui, text.trim()),
    })
    if (q !== null) ui.go('items', { q: q.trim() })
  })
}

/** Shows a notice until a job ends. Like every notice, it may disappear earlier. */
function showUntilEnd(ui: Ui, job: number, text: string) {
  const { session } = ui
  ui.notice(text)
  const stop = session.follow(events => {
    const isOver = events.some(one => one.channel === channels.task(job) && one.message.action === 'complete')
    if (!isOver) return
    stop()
    ui.removeNotice(text)
  })
}

export async function scan(ui: Ui, { id, name }: Pick<Collection, 'id' | 'name'>, full = false): Promise<void> {
  const { taskid } = await ui.session.client.collections.scan({ params: { id }, query: full ? { full: true } : {} })
  showUntilEnd(ui, taskid, `Scanning ${name}.`)
}

/** After a scan that stopped for safety: asks whether the files that were not found are gone, and scans again. */
export async function markMissing(ui: Ui, { id, name, safetyStop }: Collection): Promise<void> {
  if (safetyStop === null) return ui.notice(`The last scan of ${name} was not stopped.`)
  const isWanted = await ui.confirm({
    title: `Mark ${plural(safetyStop.items, 'item')} of ${name} missing?`,
    lines: [['They leave the gallery. Their tags are kept, and they come back when their files do.']],
    yes: 'mark them missing',
  })
  if (!isWanted) return
  const { taskid } = await ui.session.client.collections.scan({ params: { id }, query: { acceptMissing: true } })
  showUntilEnd(ui, taskid, `Scanning ${name}; files that are not found become missing.`)
}

/** The binding that stops an active job after a confirmation. `name`: name of the job's collection. */
export function stopKey(
  ui: Ui,
  job: Pick<Job, 'id' | 'kind'> | undefined,
  about: string,
  name: string,
  keys = 'x',
): Binding {
  return keysFor(ui, job)(keys, 'stop', about, async ({ id, kind }) => {
    const title = titleOf({ kind }, name)
    const lines = [['What it has done so far is kept.']]
    if (!(await ui.confirm({ title: `Stop: ${title}?`, lines, yes: 'stop it' }))) return
    await ui.session.client.jobs.cancel({ params: { id } })
    return `${title} is stopping.`
  })
}

export async function exportCollection(ui: Ui, { id, name }: Pick<Collection, 'id' | 'name'>): Promise<void> {
  const { library, viewer, files } = ui.session
  const format = await ui.choose({
    title: `Export ${name}`,
    choices: [
      { id: 'csv', key: 't', label: 'Table', about: 'CSV for spreadsheets' },
      { id: 'json', key: 'e', label: 'Everything', about: 'JSON that can be restored' },
      { id: 'xmp', key: 's', label: 'Sidecars', about: 'XMP files in a folder' },
    ],
  })
  if (format === null) return
  const slug = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'collection'
  const path = await ui.prompt({
    label: format === 'xmp' ? 'Into the folder' : 'To the file',
    value: `~/${slug}${format === 'csv' ? '.csv' : format === 'json' ? '.jsonl' : '-sidecars'}`,
    complete: text => files.foldersLike(text),
    check: text =>
      text.trim() === ''
        ? 'A path is required.'
        : format !== 'xmp' && files.typeAt(text) !== null
          ? 'It already exists: give another name.'
          : null,
    history: 'paths',
  })
  if (path === null) return
  if (format === 'xmp') return exportSidecars(ui, id, files.resolve(path))
  const whole = files.resolve(path)
  requireOutApart(library, whole)
  const lines =
    format === 'csv'
      ? library.collectionExport.csv(viewer, id, {}).lines
      : jsonLines(library.libraryExport.lines(viewer, id))
  const size = await ui.runInForeground(`Writing ${whole}`, ({ signal, report }) =>
    files.write(path, lines, { signal, onBytes: written => report(sizeText(written)) }),
  )
  ui.notice(`Wrote ${whole}, ${sizeText(size)}.`)
}

function* jsonLines(objects: Iterable<unknown>): Iterable<string> {
  for (const one of objects) yield `${JSON.stringify(one)}\n`
}

async function exportSidecars(ui: Ui, id: number, directory: string): Promise<void> {
  const { library, viewer, files } = ui.session
  library.sidecarExport.requireApart(directory)
  files.makeDirectory(directory)
  const counts = { written: 0, unchanged: 0, skipped: 0, failed: 0 }
  await ui.runInForeground(`Writing sidecars to ${directory}`, async ({ signal, report }) => {
    const outcomes = library.sidecarExport.write(viewer, id, { directory, replace: false, dryRun: false, signal })
    for await (const { result } of outcomes) {
      counts[result]++
      report(plural(counts.written, 'file'))
      await new Promise(next => setImmediate(next))
    }
    signal.throwIfAborted()
  })
  const others = `${counts.unchanged} unchanged, ${counts.skipped} skipped, ${counts.failed} failed`
  ui.notice(`${plural(counts.written, 'sidecar')} written, ${others}.`)
}

/** Forgets a collection; the user must type its name. */
export async function removeCollection(ui: Ui, { id, name }: Pick<Collection, 'id' | 'name'>): Promise<boolean> {
  const { library, viewer, client } = ui.session
  const { items, edited } = library.collectionChanges.previewRemoval(viewer, id)
  const isWanted = await ui.confirm({
    title: `Remove ${name} with ${plural(items, 'item')} from the library?`,
    lines: [
      [`Its files stay where they are. The edits of ${plural(edited, 'item')} are lost.`],
      [{ text: 'This cannot be undone.', style: 'amber' }],
    ],
    yes: 'remove it',
    wordToType: name,
  })
  if (!isWanted) return false
  try {
    await client.collections.remove({ params: { id } })
  } catch (error) {
    throw error instanceof Failure && error.code === 'notFound'
      ? new Failure('notFound', `${name} has been removed meanwhile.`)
      : error
  }
  ui.notice(`Removed ${name}. Its files are untouched.`)
  return true
}

/** Asks for a folder, creates a collection from it, and scans it; returns its id, or null if cancelled. */
export async function addCollection(ui: Ui): Promise<number | null> {
  const { client, files } = ui.session
  const path = await ui.prompt({
    label: 'Folder with pictures',
    value: '~/',
    complete: text => files.foldersLike(text),
    check: text => (files.typeAt(text) === 'directory' ? null : 'This folder does not exist.'),
    hint: 'Tab completes. The pictures stay where they are.',
    history: 'paths',
  })
  if (path === null) return null
  const whole = files.resolve(path)
  const name = await ui.prompt({
    label: 'Name',
    value: whole.slice(whole.lastIndexOf('/') + 1),
    check: text => (text.trim().length < 3 ? 'Name must be more than 2 characters' : null),
  })
  if (name === null) return null
  const made = await client.collections.create({ body: { name: name.trim(), path: whole } })
  try {
    await scan(ui, made)
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'busy')) throw error
  }
  return made.id
}

/** Asks for the source, and shows what the import would copy. */
export async function importInto(ui: Ui, { id, name }: Pick<Collection, 'id' | 'name'>): Promise<void> {
  const { client, files } = ui.session
  const [, ...collections] = await client.collections.list()
  const others = collections.filter(one => one.id !== id).map(one => one.name)
  const from = await ui.prompt({
    label: `Import into ${name} from`,
    value: '~/',
    hint: 'A folder, or the name of another collection. Tab completes. The source is never touched.',
    complete: text => [
      ...others.filter(other => text !== '' && other.toLowerCase().startsWith(text.toLowerCase())),
      ...(/^[~./]/.test(text) ? files.foldersLike(text) : []),
    ],
    check: text =>
      others.includes(text) || files.typeAt(text) === 'directory' ? null : 'This folder or collection does not exist.',
    history: 'paths',
  })
  if (from === null) return
  const other = collections.find(one => one.name === from && one.id !== id)
  const what = { kind: 'import', collection: id }
  ui.go('plan', other === undefined ? { ...what, directory: files.resolve(from) } : { ...what, other: other.id })
}

/** Asks for a query, and shows what the transfer would move. */
export async function transferInto(ui: Ui, { id, name }: Pick<Collection, 'id' | 'name'>): Promise<void> {
  const query = await ui.prompt({
    label: `Move into ${name}`,
    hint: 'What the search finds: in:Phone year:2024, keyword:beach -type:video … It is shown before anything is moved.',
    check: text => (text.trim() === '' ? 'Give a query.' : null),
    history: 'queries',
  })
  if (query === null) return
  ui.notice('Looking …')
  const items = await idsOfQuery(ui, query)
  if (items.length === 0) return ui.notice('Nothing matches.')
  ui.go('plan', { kind: 'transfer', collection: id, items: ui.storeValue(items) })
}

/** Ids of a query's items; throws if there are too many for one transfer. */
async function idsOfQuery({ session: { client } }: Ui, q: string): Promise<number[]> {
  const max = limits.maxTransferItems
  const ids = await loadIdsInRange(
    ({ limit, cursor }) =>
      client.items.list({
        params: { collectionId: 0 },
        query: { q, limit, ...(cursor === null ? {} : { cursor }) },
      }),
    0,
    max + 1,
  )
  if (ids.length > max) throw new Failure('tooLarge', `More than ${plural(max, 'item')}: narrow the query.`)
  return ids
}
