/** How to search: words and chips, and the query language. */

import { closeDialog } from '../app/dialogs.ts'
import { Modal } from '../kit/layers/modal.tsx'

const sections = [
  {
    title: 'Words',
    rows: [
      ['summer, Mia', 'A comma or Enter makes a chip of each; all must match'],
      ['Click a chip', 'Leaves it out; once more asks for it'],
      ['or', 'Begins another group: what is in either is shown'],
      ['Alt ← →', 'Takes the chip to the next group; so does dragging it'],
    ],
  },
  {
    title: 'Queries',
    rows: [
      ['beach OR dunes', 'Either; AND is there without saying so'],
      ['NOT rain, -rain', 'Without it'],
      ['(Mia OR Jonas) snow', 'Parentheses group conditions'],
      ['"red bike"', 'These words in this order'],
    ],
  },
  {
    title: 'Fields',
    rows: [
      ['keyword: category: author:', 'One tag; = requires the whole name: keyword:=sea'],
      ['person: object: place:', 'Who, what and where'],
      ['description: file:', 'The caption, the name of the file'],
      ['in:family', 'A collection'],
      ['year:2019 month:7..8', 'Also month:july and year:2015..2018'],
      ['date:2019-06..2020-02', 'From and to; one end may be missing'],
      ['added:2024-01..', 'When it was added to the library'],
      ['rating:>=4', 'Also 2..4, none, rejected'],
      ['type:video', 'Or image'],
      ['camera:nikon', 'Any word of its name'],
      ['near:48.1,11.6,5km', 'Around a position; m, km or mi'],
      ['box:47.2,5.8,55.1,15.1', 'South, west, north, east'],
    ],
  },
] as const

export function SearchHelpDialog() {
  return (
    <Modal title="How to search" onClose={closeDialog} width={620}>
      <div className="px-6 pt-2 pb-6 grid gap-5">
        {sections.map(({ title, rows }) => (
          <section key={title}>
            <h3 className="eyebrow mb-2">{title}</h3>
            <dl className="search-help-rows">
              {rows.map(([example, meaning]) => (
                <div key={example} className="contents">
                  <dt className="font-mono text-xs leading-5">{example}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="soft">
          An example:{' '}
          <span className="font-mono text-xs">rating:&gt;=4 (camera:nikon OR person:mia) -category:work</span>
        </p>
      </div>
    </Modal>
  )
}
