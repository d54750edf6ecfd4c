/** Manage Tags: tagging many items, replacing tags, and the vocabulary. */
import { useSignals } from '@preact/signals-react/runtime'
import { address, go } from '../../app/address.ts'
import { collections } from '../../app/collections.ts'
import { UntilCollections } from '../../app/loading/until-collections.tsx'
import { signedIn } from '../../app/session.ts'
import { ProgressDialog } from '../../kit/layers/progress-dialog.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { baseTexts } from '../../texts/base.ts'
import { BulkTag } from './bulk-tag.tsx'
import { TagItems } from './tag-items.tsx'
import { TagOptions } from './tag-options.tsx'
import { TagReplace } from './tag-replace.tsx'
import { stopTagging, tagRun } from './tagging-state.ts'

const tabs = ['Item Bulk Tag', 'Item Tag Replace', 'Tag Options'] as const
const names = {
  'Item Bulk Tag': taggingTexts.itemBulkTag,
  'Item Tag Replace': taggingTexts.itemTagReplace,
  'Tag Options': taggingTexts.tagOptions,
}
const paths = {
  'Item Bulk Tag': '/admin/tagging',
  'Item Tag Replace': '/admin/tagging/replace',
  'Tag Options': '/admin/tagging/options',
} as const

function Run() {
  useSignals()
  const run = tagRun.value
  if (run === null) return null
  const { job } = run
  return <ProgressDialog {...run} onCancel={job === null ? null : stopTagging} />
}

export function ManageTags() {
  useSignals()
  if (!signedIn.value) return null
  if (collections.value === null) return <UntilCollections />
  const { path, search } = address.value
  const tab = tabs.find(name => paths[name] === path.replace(/\/$/, '')) ?? 'Item Bulk Tag'
  const row = (
    <>
      <header className="admin-head">
        <h1 className="text-xl font-semibold">{baseTexts.manageTags}</h1>
      </header>
      <Tabs label={baseTexts.manageTags} names={names} value={tab} onChange={name => go(paths[name] + search)}>
        {tab === 'Tag Options' && <TagOptions />}
        {tab === 'Item Bulk Tag' && <BulkTag />}
        {tab === 'Item Tag Replace' && <TagReplace />}
      </Tabs>
    </>
  )
  return (
    <>
      {tab === 'Tag Options' ? (
        <div className="h-full overflow-y-auto px-6 max-[37.5rem]:px-4 pb-10 admin-screen">{row}</div>
      ) : (
        <TagItems>{row}</TagItems>
      )}
      <Run />
    </>
  )
}
