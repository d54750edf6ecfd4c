/** Number of entries, number of selected ones, and 'Select Path'. */
import { useSignals } from '@preact/signals-react/runtime'
import { useSlow } from '../kit/time/use-slow.ts'
import { useController } from './controller-context.ts'

export function StatusBar() {
  useSignals()
  const { t, nodes, choice, listing, onSelectPath, refusalOf, path, preferences, driver, fault, isReady, isElsewhere } =
    useController()
  // Wait a moment, so that a folder that loads fast does not make the text flicker.
  const isOutdated = useSlow(isElsewhere.value)
  const showsCount = listing.value !== null && fault.value === '' && !isOutdated
  const refusal = refusalOf(path.value)
  const count = nodes.value.length
  const chosen = choice.value.selected.size
  const number = (value: number) => value.toLocaleString(preferences.intl.value)
  return (
    <footer className="fm-status">
      <p role="status">
        {showsCount && <span>{t('itemsFound', number(count))}</span>}
        {showsCount && listing.value?.truncated === true && <span className="soft">{t('truncated')}</span>}
        {chosen > 0 && <span className="soft">{t('itemsSelected', number(chosen))}</span>}
        {refusal !== '' && <span className="soft">{refusal}</span>}
      </p>
      {onSelectPath !== undefined && (
        <button
          type="button"
          className={driver.onlyFolders ? 'btn btn-primary btn-sm' : 'btn btn-quiet btn-sm'}
          disabled={refusal !== '' || !isReady.value}
          onClick={() => onSelectPath(path.peek())}
        >
          {t('selectPath')}
        </button>
      )}
    </footer>
  )
}
