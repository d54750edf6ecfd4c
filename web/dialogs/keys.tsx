/** Every key that does something. */
import { Modal } from '../parts/modal.tsx'
import { closeDialog } from '../state/dialogs.ts'

const groups = [
  {
    title: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['?', 'This sheet'],
      ['Esc', 'Close what is on top'],
    ],
  },
  {
    title: 'Gallery',
    keys: [
      ['← → ↑ ↓', 'From picture to picture'],
      ['Enter', 'Open'],
      ['Page Up, Page Down', 'A screen up or down'],
      ['Home, End', 'First or last picture'],
      ['Space, X', 'Select'],
      ['Shift + arrows', 'Select more'],
      ['Ctrl A', 'Select Current'],
      ['0 – 5', 'Rate'],
      ['Menu, Shift F10', 'Actions'],
      ['Delete', 'Delete'],
    ],
  },
  {
    title: 'Picture',
    keys: [
      ['← →', 'Previous, next'],
      ['+ −', 'Zoom in, zoom out'],
      ['F', 'Fit to the screen'],
      ['0 – 5', 'Rate'],
      ['R, Shift R', 'Turn right, turn left'],
      ['I', 'Details'],
      ['P', 'People and objects'],
      ['Menu, Shift F10', 'Actions'],
      ['Delete', 'Delete'],
      ['Space', 'Play or pause'],
    ],
  },
] as const

export function KeysDialog() {
  return (
    <Modal title="Keyboard" onClose={closeDialog} width={520}>
      <div className="px-6 pt-2 pb-6 grid gap-5">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="eyebrow mb-2">{title}</h3>
            <dl className="grid grid-cols-[11rem_1fr] gap-y-2">
              {keys.map(([key, act]) => (
                <div key={key} className="contents">
                  <dt>
                    <kbd className="key">{key}</kbd>
                  </dt>
                  <dd>{act}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
