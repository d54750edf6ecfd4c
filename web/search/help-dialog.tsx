/** How to search: words and chips, and the query language. */

import { closeDialog } from '../app/dialogs.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { baseTexts } from '../texts/base.ts'
import { helpTexts } from '../texts/help.ts'

const sections = [
  {
    title: helpTexts.words,
    rows: [
      ['summer, Mia', helpTexts.commaOrEnterHint],
      ['2014 beach', helpTexts.wordsInAnyOrder],
      ['strasse', helpTexts.otherSpellings],
      ['"red bike"', helpTexts.theseWordsInThisOrder],
      [helpTexts.clickAChip, helpTexts.clickAChipHint],
      ['or', helpTexts.orHint],
      [helpTexts.alt, helpTexts.movesTheChip],
    ],
  },
  {
    title: helpTexts.queries,
    rows: [
      ['beach OR dunes', helpTexts.eitherMayMatch],
      ['NOT rain, -rain', helpTexts.withoutIt],
      ['(Mia OR Jonas) snow', helpTexts.parenthesesGroupConditions],
    ],
  },
  {
    title: helpTexts.fields,
    rows: [
      ['keyword: category: author:', helpTexts.tagFieldHint],
      ['person: object: place:', helpTexts.whoWhatAndWhere],
      ['description: file:', helpTexts.descriptionAndFile],
      ['in:family', helpTexts.aCollection],
      ['folder:2019/Rome', helpTexts.aFolder],
      ['year:2019 month:7..8', helpTexts.yearAndMonthHint],
      ['date:2019-06..2020-02', helpTexts.dateHint],
      ['added:2024-01..', helpTexts.whenItWasAdded],
      ['rating:>=4', helpTexts.ratingHint],
      ['favourite:yes', helpTexts.yourFavouritesOrNo],
      ['album:"Lisbon 2019"', helpTexts.itemsOfAnAlbum],
      ['type:video', helpTexts.typeHint],
      ['camera:nikon', helpTexts.cameraHint],
      ['near:48.1,11.6,5km', helpTexts.nearHint],
      ['box:47.2,5.8,55.1,15.1', helpTexts.boxHint],
    ],
  },
] as const

const fullExample = 'rating:>=4 (camera:nikon OR person:mia) -category:work'

export function SearchHelpDialog() {
  return (
    <Modal title={baseTexts.howToSearch} onClose={closeDialog} width={620}>
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
        <p className="soft">{helpTexts.example({ query: <span className="font-mono text-xs">{fullExample}</span> })}</p>
      </div>
    </Modal>
  )
}
