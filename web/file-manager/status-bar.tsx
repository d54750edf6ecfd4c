/** How many there are, how many are selected, and 'Select Path'. */
import { useSignals } from '@preact/signals-react/runtime'
import { useDesk } from './desk-context.ts'

export function StatusBar() {
  useSignals()
  const { t, nodes, choice, listing, onSelectPath, path, preferences } = useDesk()
  const count = nodes.value.length
  const chosen = choice.value.selected.size
  const number = (value: number) => value.toLocaleString(preferences.intl.value)
  return (
    <footer className="fm-status">
      <p role="status">
        {listing.value !== null && <span>{t('itemsFound', number(count))}</span>}
        {listing.value?.truncated === true && <span className="soft">{t('truncated')}</span>}
        {chosen > 0 && <span className="soft">{t('itemsSelected', number(chosen))}</span>}
      </p>
      {onSelectPath !== undefined && (
        <button type="button" className="btn btn-quiet btn-sm" onClick={() => onSelectPath(path.peek())}>
          {t('selectPath')}
        </button>
      )}
    </footer>
  )
}
