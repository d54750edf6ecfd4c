/** The list of keyboard shortcuts. */

import { closeDialog } from '../app/dialogs.ts'
import { Modal } from '../kit/layers/modal.tsx'

const groups = [
  {
    title: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['?', 'This sheet'],
      ['Esc', 'Close what is on top'],
      ['Tab, Shift Tab', 'Go on, go back'],
    ],
  },
  {
    title: 'Search',
    keys: [
      ['↑ ↓', 'Through the suggestions'],
      ['Enter', 'Take it'],
      [',', 'End a word'],
      ['Backspace', 'Take the last word away'],
      ['← →', 'From word to word'],
      ['Space', 'On a word: leave it out'],
      ['Alt ← →', 'Move a word to another group'],
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
    title: 'Timeline at the side',
    keys: [
      ['↑ ↓', 'A month'],
      ['Page Up, Page Down', 'Twelve months'],
      ['Home, End', 'Newest or oldest'],
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
  {
    title: 'Item Metadata, on a box',
    keys: [
      ['← → ↑ ↓', 'Move it'],
      ['Shift + arrows', 'Resize it'],
      ['Alt + arrows', 'In small steps'],
      ['Enter, F2', 'Name it'],
      ['Alt Enter', 'Edit the object'],
      ['Delete', 'Remove it'],
    ],
  },
  {
    title: 'Files',
    keys: [
      ['← → ↑ ↓', 'From file to file'],
      ['Letters', 'To a name'],
      ['Enter', 'Open'],
      ['Backspace, Alt ↑', 'The folder above'],
      ['Space', 'Select'],
      ['Shift + arrows', 'Select more'],
      ['Ctrl A', 'Select all'],
      ['F2', 'Rename'],
      ['Menu, Shift F10', 'Actions'],
      ['Delete', 'Delete'],
    ],
  },
  {
    title: 'World Map',
    keys: [
      ['← → ↑ ↓', 'Move the map'],
      ['+ −', 'Zoom in, zoom out'],
      ['← →', 'In a group of items: previous, next'],
    ],
  },
  {
    title: 'Screen Saver',
    keys: [
      ['→', 'Next'],
      ['Space', 'Pause or go on'],
    ],
  },
] as const

export function KeysDialog() {
  return (
    <Modal title="Keyboard" onClose={closeDialog} width={760}>
      <div className="keys-sheet">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="eyebrow mb-2">{title}</h3>
            <dl className="grid grid-cols-[9.5rem_1fr] gap-y-2">
              {keys.map(([key, act]) => (
                <div key={act} className="contents">
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
