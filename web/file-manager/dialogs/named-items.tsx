/** The names of a dialog's entries. */
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useController } from '../controller-context.ts'
import { EntryIcon } from '../list/entry-icon.tsx'

/** Maximum number of names; nobody would read more. */
const maxShownNames = 100

export function NamedItems({ items, paths = false }: { items: readonly FileNode[]; paths?: boolean }) {
  const { t, preferences } = useController()
  const count = items.length.toLocaleString(preferences.intl.peek())
  const left = items.length - maxShownNames
  return (
    <>
      {items.length > 1 && <p className="soft">{t('itemsSelected', count)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <ul className="fm-items" tabIndex={0} aria-label={t('itemsSelected', count)}>
        {items.slice(0, maxShownNames).map(node => (
          <li key={node.path}>
            <EntryIcon node={node} size={18} />
            <span>
              <span className="fm-items-name" dir="auto" title={node.basename}>
                {node.basename}
              </span>
              {paths && (
                <span className="fm-items-path soft" title={node.path}>
                  <bdi>{node.path}</bdi>
                </span>
              )}
            </span>
          </li>
        ))}
        {left > 0 && <li className="soft">{t('andMore', left.toLocaleString(preferences.intl.peek()))}</li>}
      </ul>
    </>
  )
}
