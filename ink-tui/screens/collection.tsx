/** One collection: its job, why its last scan stopped, its settings, and its groups. */
import type { ReactNode } from 'react'
import type { Collection, CollectionChanges } from '../../schema/api/collections.ts'
import { collectionChanges } from '../../schema/api/collections.ts'
import { figure } from '../../schema/figures.ts'
import { faultIn } from '../../schema/issue-words.ts'
import { stopKey } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import type { Line, Span } from '../line.ts'
import { isCollectionEvent, isJobEvent, useLive, useNow } from '../live.ts'
import { lastScanText, loadOverview, statusOf } from '../overview.ts'
import { createPaces } from '../parts/bar.ts'
import { activeLine } from '../parts/job-line.ts'
import { keysFor } from '../parts/keys-for.ts'
import { useRows } from '../parts/list.ts'
import { labelledLine, Row, rowPrefix } from '../parts/rows.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { pad, wrap } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'
import { collectionKeys } from './collections.tsx'

type SettingName = keyof CollectionChanges

interface Setting {
  name: SettingName
  label: string
  about: string
  kind: 'text' | 'folder' | 'switch' | 'write-back'
}

const settings: readonly Setting[] = [
  { name: 'name', label: 'Name', kind: 'text', about: 'shown to everybody' },
  { name: 'managed', label: 'Managed', kind: 'switch', about: 'Keepsake sorts its files into folders' },
  { name: 'folderFormat', label: 'Folder format', kind: 'text', about: '{Year}/{Month}, {MonthName}, {Category}' },
  { name: 'fileFormat', label: 'File prefix', kind: 'text', about: 'names of sorted files begin with it' },
  {
    name: 'pathVariant',
    label: 'Variants folder',
    kind: 'folder',
    about: 'edited versions, with the same relative paths',
  },
  { name: 'readonly', label: 'Read-only', kind: 'switch', about: 'never write to its folder' },
  { name: 'writeBack', label: 'Write back', kind: 'write-back', about: 'where tags are also written' },
  { name: 'keepPrivate', label: 'Keep private', kind: 'switch', about: 'people and places are kept from visitors' },
  { name: 'pairing', label: 'Live Photos', kind: 'switch', about: 'still and video are one item' },
]

const writeBackWords: Record<Collection['writeBack'], string> = {
  off: 'nowhere',
  sidecar: 'into sidecars',
  file: 'into the files',
}

function valueText(one: Collection, { name, kind }: Setting): Span {
  const value = one[name]
  if (kind === 'switch') return value === true ? 'yes' : { text: 'no', style: 'dim' }
  if (kind === 'write-back') return writeBackWords[one.writeBack]
  return typeof value === 'string' && value !== '' ? value : { text: 'not set', style: 'dim' }
}

/** The error of a setting; null if it is valid. */
function faultOf(name: SettingName, text: string): string | null {
  return faultIn(collectionChanges, { [name]: text }, 'It is not valid.')
}

async function changeSetting(ui: Ui, one: Collection, setting: Setting): Promise<void> {
  const { name, kind, label, about } = setting
  const { client, files } = ui.session
  const set = async (value: unknown) => {
    const body = collectionChanges.parse({ [name]: value })
    await client.collections.update({ params: { id: one.id }, body })
    ui.notice(`${label} of ${String(body.name ?? one.name)} is set.`)
  }
  if (kind === 'switch') {
    const isOn = one[name] === true
    const isWanted = await ui.confirm({
      title: `${label}: set to ${isOn ? 'no' : 'yes'}?`,
      lines: [[{ text: about, style: 'dim' }]],
      yes: 'set it',
    })
    if (isWanted) await set(!isOn)
    return
  }
  if (kind === 'write-back') {
    const answer = await ui.choose({
      title: 'Tags are written',
      chosen: one.writeBack,
      choices: [
        { id: 'off', label: 'nowhere', about: 'only in the library' },
        { id: 'sidecar', label: 'into sidecars', about: '.xmp files beside the pictures' },
        { id: 'file', label: 'into the files', about: 'the picture itself stays byte for byte' },
      ],
    })
    if (answer !== null) await set(answer)
    return
  }
  const text = await ui.prompt({
    label,
    value: String(one[name] ?? ''),
    hint: about,
    ...(kind === 'folder' ? { complete: (typed: string) => files.foldersLike(typed), history: 'paths' } : {}),
    check: typed => faultOf(name, kind === 'folder' && typed !== '' ? files.resolve(typed) : typed),
  })
  if (text !== null) await set(kind === 'folder' && text !== '' ? files.resolve(text) : text)
}

const paces = createPaces()
const labelWidth = 18

export function CollectionScreen({ width, height, params }: ScreenProps): ReactNode {
  const ui = useUi()
  const { session, terminal } = ui
  const id = Number(params.collection)
  const { value, error } = useLive(
    () => loadOverview(session),
    event => isCollectionEvent(event) || isJobEvent(event),
  )
  const one = value?.collections.find(collection => collection.id === id)
  const job = value?.active.find(({ collection_id }) => collection_id === id)
  const now = useNow(job === undefined ? 30_000 : 1000)
  const list = useRows(settings, settings.length)
  const key = keysFor(ui, one)
  const ifStopped = keysFor(ui, one?.safetyStop?.items ? one : null)
  const bindings: Binding[] = [
    ...list.keys,
    key('enter c', 'change', 'change the chosen setting', known => list.here && changeSetting(ui, known, list.here)),
    ifStopped('f', 'files', 'files that the stopped scan did not find', () => ui.go('not-found', { collection: id })),
    ...collectionKeys(ui, one, () => ui.back()),
    stopKey(ui, job, 'stop its job', one?.name ?? ''),
  ]
  useKeys({ title: 'Collection', bindings })
  if (value === null || one === undefined) {
    const words = value === null ? (error ?? '') : 'This collection is gone.'
    return <Row line={['   ', { text: words, style: 'dim' }]} width={width} />
  }

  const head: Line[] = [
    [' ', { text: one.name, style: 'bold' }],
    labelledLine('Folder', labelWidth, one.path),
    labelledLine('Items', labelWidth, figure(one.itemcount)),
    labelledLine('Last scan', labelWidth, lastScanText(one, value.active, now), '   ', statusOf(one, value)),
  ]
  if (job !== undefined) {
    const line = activeLine(job, {
      paces,
      active: value.active,
      nameOf: () => one.name,
      width,
      now,
      signs: terminal.signs,
    })
    head.push(['   ', ...line])
  }
  if (one.safetyStop !== null) {
    for (const [at, line] of wrap(`${one.safetyStop.reason} Every tag is kept.`, width - 6).entries())
      head.push(['   ', { text: at === 0 ? `${terminal.signs.warning} ` : '  ', style: 'amber' }, line])
  }
  const groups: Line[] = one.access.map(({ name, admin, view, create, update, public: open }): Line => {
    const rights = [
      open ? 'everybody sees it' : '',
      admin ? 'administers' : '',
      view && !open ? 'sees' : '',
      create ? 'adds' : '',
      update ? 'edits' : '',
    ]
    return ['   ', name, '  ', { text: rights.filter(word => word !== '').join(', ') || 'nothing', style: 'dim' }]
  })
  const settingLines = settings.map((each, at): Line => {
    const isChosen = at === list.cursor
    return [
      ...rowPrefix(terminal.signs, isChosen),
      { text: pad(each.label, labelWidth), style: isChosen ? 'bold' : 'dim' },
      valueText(one, each),
      ...(isChosen ? ['   ', { text: each.about, style: 'dim' } as const] : []),
    ]
  })
  const lines = [...head, [], [' ', { text: 'Settings', style: 'bold' } as const], ...settingLines]
  const chosenAt = head.length + 2 + list.cursor
  lines.push([], [' ', { text: 'Groups', style: 'bold' }], ...groups)
  // If not everything fits, scroll to the chosen setting.
  const top = lines.length <= height ? 0 : Math.max(0, Math.min(chosenAt - height + 2, lines.length - height))
  return lines.slice(top, top + height).map((line, at) => {
    const place = top + at
    return <Row key={place} line={line} width={width} isHighlighted={place === chosenAt} />
  })
}
