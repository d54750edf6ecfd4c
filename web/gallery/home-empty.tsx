/** What Home shows when there is nothing to see: why, and what to do next. */
import { useSignals } from '@preact/signals-react/runtime'
import { FolderPlus, FolderSearch, Images, SearchX } from 'lucide-react'
import { Fragment, useEffect } from 'react'
import { useLocation } from 'wouter'
import { product } from '../../schema/limits.ts'
import { administeredCollections, currentCollection, scanCollection } from '../app/collections.ts'
import { clearFilter, filter, filtered, setFilter } from '../app/current-filter.ts'
import { openLogin, openRegister } from '../app/dialogs.ts'
import { JobProgress } from '../app/jobs/job-progress.tsx'
import { scans } from '../app/jobs/jobs.ts'
import { checkServer } from '../app/loading/recovery.ts'
import { refusedQuery } from '../app/query-fault.ts'
import { mayRegister } from '../app/runtime.ts'
import { globalAdmin } from '../app/session.ts'
import { listKey } from '../items/items.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { conditionsOf } from '../search/no-items.ts'
import { QueryFaultText } from '../search/query-fault.tsx'
import { baseTexts } from '../texts/base.ts'
import { galleryTexts } from '../texts/gallery.ts'
import { searchTexts } from '../texts/search.ts'
import type { HomeState } from './home-state.ts'
import { findWayOut, wayOut } from './ways-out.ts'

function SignIn() {
  useSignals()
  return (
    <Empty
      icon={Images}
      title={galleryTexts.signInToSee}
      actions={
        <>
          <Button look="primary" text={baseTexts.login} onClick={() => openLogin()} />
          {mayRegister.value && <Button look="ghost" text={baseTexts.register} onClick={openRegister} />}
        </>
      }
    >
      {galleryTexts.nothingIsOpenToVisitors}
    </Empty>
  )
}

function NoCollections({ mayCreate }: { mayCreate: boolean }) {
  const [, go] = useLocation()
  if (!mayCreate) {
    return (
      <Empty icon={FolderPlus} title={baseTexts.noCollections}>
        {galleryTexts.noAccessYet}
      </Empty>
    )
  }
  return (
    <Empty
      icon={FolderPlus}
      title={baseTexts.noCollections}
      actions={
        <Button look="primary" text={baseTexts.chooseAFolder} onClick={() => go('/admin/collections?create=true')} />
      }
    >
      {galleryTexts.chooseFolderHint({ product })}
    </Empty>
  )
}

function ScanPrompt() {
  useSignals()
  const [, go] = useLocation()
  const filterCollection = filter.value.collection
  const target =
    administeredCollections.value.find(({ id }) => id === filterCollection) ?? administeredCollections.value[0]
  if (target === undefined) return null
  const job = scans.value.get(target.id)
  if (job !== undefined) {
    return (
      <Empty icon={FolderSearch} title={galleryTexts.reading({ name: target.name })}>
        <p className="mb-5">{galleryTexts.readingHint}</p>
        <div className="w-80 max-w-full text-start">
          <JobProgress job={job} />
        </div>
      </Empty>
    )
  }
  const scan = async () => {
    if (await scanCollection(target.id)) checkServer()
  }
  return (
    <Empty
      icon={FolderSearch}
      title={
        target.lastscan === ''
          ? galleryTexts.isReadyToBeScanned({ name: target.name })
          : galleryTexts.hasNoPictures({ name: target.name })
      }
      actions={
        <>
          <Button
            look="primary"
            text={target.lastscan === '' ? galleryTexts.scanThisFolder : baseTexts.scanAgain}
            onClick={() => void scan()}
          />
          {globalAdmin.value && (
            <Button
              look="ghost"
              text={galleryTexts.chooseAnotherFolder}
              onClick={() => go('/admin/collections?create=true')}
            />
          )}
        </>
      }
    >
      {galleryTexts.scanHint({
        product,
        path: <b className="font-mono text-xs font-normal text-base-content [overflow-wrap:anywhere]">{target.path}</b>,
      })}
    </Empty>
  )
}

function NoItems() {
  useSignals()
  const key = listKey.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with the filter
  useEffect(() => void findWayOut(), [key])
  const way = wayOut.value
  const conditions = conditionsOf(filter.value, currentCollection.value?.name ?? null)
  return (
    <Empty
      icon={filtered.value ? SearchX : Images}
      title={baseTexts.noItems}
      actions={
        filtered.value &&
        way !== undefined && (
          <>
            {way !== null && (
              <button type="button" className="btn btn-primary" onClick={() => setFilter(way.filter)}>
                {way.text} ({baseTexts.itemCount({ count: way.count })})
              </button>
            )}
            <Button
              className={`btn ${way === null ? 'btn-primary' : 'btn-ghost'}`}
              text={baseTexts.clearTheFilter}
              onClick={clearFilter}
            />
          </>
        )
      }
    >
      {conditions.length === 0 ? (
        searchTexts.thereIsNothing
      ) : (
        <>
          {searchTexts.noItemMatches}
          <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-start">
            {conditions.map(({ label, value }) => (
              <Fragment key={`${label} ${value}`}>
                <dt>{label}</dt>
                <dd className="font-semibold text-base-content" dir="auto">
                  {value}
                </dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
    </Empty>
  )
}

/** For an invalid query in the address: its error, and how to continue. */
function InvalidQuery() {
  useSignals()
  const fault = refusedQuery.value?.fault
  return (
    <Empty
      icon={SearchX}
      title={galleryTexts.thisSearchIsNotValid}
      actions={<Button look="primary" text={galleryTexts.searchWithoutIt} onClick={() => setFilter({ q: '' })} />}
    >
      {fault !== undefined && <QueryFaultText fault={fault} />}
    </Empty>
  )
}

/** `state`: see `HomeState`; 'query': the query in the address is invalid. */
export function HomeEmpty({ state }: { state: Exclude<HomeState, 'first' | 'quiet' | 'gallery'> | 'query' }) {
  switch (state) {
    case 'query':
      return <InvalidQuery />
    case 'sign-in':
      return <SignIn />
    case 'create':
      return <NoCollections mayCreate />
    case 'ask':
      return <NoCollections mayCreate={false} />
    case 'scan':
      return <ScanPrompt />
    default:
      return <NoItems />
  }
}
