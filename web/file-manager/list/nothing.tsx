/** The empty states: why there are no entries, and what to do; placeholders while they are loading. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, FolderOpen, SearchX } from 'lucide-react'
import { useRetry } from '../../kit/time/use-retry.ts'
import { useSlow } from '../../kit/time/use-slow.ts'
import { useController } from '../controller-context.ts'

/** A progress bar over the shown list, or placeholders of entries if there is none. */
export function LoadingState({ isGrid }: { isGrid: boolean }) {
  useSignals()
  const { loading, listing, t } = useController()
  const slow = useSlow(loading.value)
  if (!slow) return null
  if (listing.value !== null) return <div className="fm-progress" role="progressbar" aria-label={t('loading')} />
  return (
    <div className={isGrid ? 'fm-bones fm-bones-grid' : 'fm-bones'} role="status" aria-label={t('loading')}>
      {Array.from({ length: 8 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons without content
        <i key={at} />
      ))}
    </div>
  )
}

export function EmptyState() {
  useSignals()
  const { fault, listing, nodes, shownSearch, t, localized, refresh, scheduleRenewal, isFixed, driver, preferences } =
    useController()
  const failed = fault.value !== ''
  useRetry(failed, scheduleRenewal)
  if (failed) {
    return (
      <div className="fm-nothing" role="alert" data-over={listing.value !== null}>
        <CircleAlert size={32} strokeWidth={1.25} className="text-error" aria-hidden="true" />
        <p className="font-semibold">{t('failed')}</p>
        <p className="soft" dir={preferences.directionOfMessage(fault.value)}>
          {localized(fault.value)}
        </p>
        <button type="button" className="btn btn-quiet" onClick={() => void refresh()}>
          {t('tryAgain')}
        </button>
      </div>
    )
  }
  if (listing.value === null || nodes.value.length > 0) return null
  const isSearch = shownSearch.value !== ''
  const Icon = isSearch ? SearchX : FolderOpen
  return (
    <div className="fm-nothing fm-see-through">
      <Icon size={40} strokeWidth={1.25} className="soft" aria-hidden="true" />
      <p>{t(isSearch ? 'noResult' : driver.onlyFolders ? 'noFolders' : 'emptyFolder')}</p>
      {!isSearch && !isFixed.value && <p className="soft">{t('emptyHint')}</p>}
    </div>
  )
}
