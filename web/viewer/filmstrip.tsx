/** The pictures before and after the open one, below it; the open one is in the middle. */
import { useSignals } from '@preact/signals-react/runtime'
import { accessibleName } from '../items/item-text.ts'
import { neighbour, openIndex, openItem, stepViewer } from '../items/open-item.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { viewerTexts } from '../texts/viewer.ts'

/** Pictures on each side; more than fit beside the open one on a wide screen. */
const maxDistance = 16

/** Only pictures that the list has loaded. The arrow keys do the same, so its buttons are no stops of the Tab key. */
export function Filmstrip() {
  useSignals()
  const [index, open] = [openIndex.value, openItem.value]
  if (index === null || open === null) return null
  const offsets = Array.from({ length: 2 * maxDistance + 1 }, (_, at) => at - maxDistance)
  return (
    <ul className="filmstrip viewer-control" aria-label={viewerTexts.filmstrip}>
      {offsets.map(offset => {
        const item = offset === 0 ? open : neighbour(offset)
        return (
          item !== undefined && (
            <li
              key={index + offset}
              style={{ transform: `translateX(calc(${offset} * var(--forward) * var(--frame)))` }}
            >
              <button
                type="button"
                tabIndex={-1}
                aria-label={accessibleName(item)}
                aria-current={offset === 0 ? 'true' : undefined}
                onClick={() => void stepViewer(offset)}
              >
                <TablePicture className="filmstrip-picture" item={item} />
              </button>
            </li>
          )
        )
      })}
    </ul>
  )
}
