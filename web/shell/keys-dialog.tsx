/** The list of keyboard shortcuts. */

import { closeDialog } from '../app/dialogs.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { baseTexts } from '../texts/base.ts'
import { helpTexts } from '../texts/help.ts'

const groups = [
  {
    title: helpTexts.everywhere,
    keys: [
      ['/', baseTexts.search],
      ['?', helpTexts.thisSheet],
      [helpTexts.escapeKey, helpTexts.closeWhatIsOnTop],
      [helpTexts.tabShiftTab, helpTexts.goOnGoBack],
    ],
  },
  {
    title: baseTexts.search,
    keys: [
      ['↑ ↓', helpTexts.throughTheSuggestions],
      [helpTexts.enterKey, helpTexts.acceptSuggestion],
      [',', helpTexts.endAWord],
      [helpTexts.backspaceKey, helpTexts.removeTheLastWord],
      ['← →', helpTexts.fromWordToWord],
      [helpTexts.spaceKey, helpTexts.leaveAWordOut],
      [helpTexts.alt, helpTexts.moveAWord],
    ],
  },
  {
    title: baseTexts.gallery,
    keys: [
      ['← → ↑ ↓', helpTexts.fromPictureToPicture],
      [helpTexts.enterKey, helpTexts.open],
      [helpTexts.pageUpPageDown, helpTexts.screenUpOrDown],
      [helpTexts.homeEnd, helpTexts.firstOrLastPicture],
      [helpTexts.spaceX, helpTexts.select],
      [helpTexts.shiftArrows, helpTexts.selectMore],
      [helpTexts.ctrlA, baseTexts.selectCurrent],
      ['0 – 5', helpTexts.rate],
      ['f', helpTexts.favouriteOrNot],
      ['+ −', helpTexts.largerSmallerPictures],
      [helpTexts.menuShiftF10, baseTexts.actions],
      [helpTexts.deleteKey, baseTexts.delete],
    ],
  },
  {
    title: helpTexts.timelineAtTheSide,
    keys: [
      ['↑ ↓', helpTexts.aMonth],
      [helpTexts.pageUpPageDown, helpTexts.twelveMonths],
      [helpTexts.homeEnd, helpTexts.newestOrOldest],
    ],
  },
  {
    title: baseTexts.picture,
    keys: [
      ['← →', helpTexts.previousNext],
      ['+ −', helpTexts.zoomInZoomOut],
      ['F', helpTexts.fitToTheScreen],
      ['0 – 5', helpTexts.rate],
      [helpTexts.rShiftR, helpTexts.turnRightTurnLeft],
      ['I', baseTexts.details],
      ['P', baseTexts.peopleAndObjects],
      [helpTexts.menuShiftF10, baseTexts.actions],
      [helpTexts.deleteKey, baseTexts.delete],
      [helpTexts.spaceKey, helpTexts.playOrPause],
    ],
  },
  {
    title: helpTexts.itemMetadataOnABox,
    keys: [
      ['← → ↑ ↓', helpTexts.moveIt],
      [helpTexts.shiftArrows, helpTexts.resizeIt],
      [helpTexts.altArrows, helpTexts.inSmallSteps],
      [helpTexts.enterF2, helpTexts.nameIt],
      [helpTexts.altEnter, helpTexts.editTheObject],
      [helpTexts.deleteKey, helpTexts.removeIt],
    ],
  },
  {
    title: baseTexts.files,
    keys: [
      ['← → ↑ ↓', helpTexts.fromFileToFile],
      [helpTexts.letters, helpTexts.toAName],
      [helpTexts.enterKey, helpTexts.open],
      [helpTexts.backspaceAlt, helpTexts.folderAbove],
      [helpTexts.spaceKey, helpTexts.select],
      [helpTexts.shiftArrows, helpTexts.selectMore],
      [helpTexts.ctrlA, helpTexts.selectAll],
      ['F2', baseTexts.rename],
      [helpTexts.menuShiftF10, baseTexts.actions],
      [helpTexts.deleteKey, baseTexts.delete],
    ],
  },
  {
    title: baseTexts.worldMap,
    keys: [
      ['← → ↑ ↓', helpTexts.moveTheMap],
      ['+ −', helpTexts.zoomInZoomOut],
      ['← →', helpTexts.inAGroup],
    ],
  },
  {
    title: baseTexts.screenSaver,
    keys: [
      ['→', baseTexts.next],
      [helpTexts.spaceKey, helpTexts.pauseOrGoOn],
    ],
  },
] as const

export function KeysDialog() {
  return (
    <Modal title={baseTexts.keyboard} onClose={closeDialog} width={760}>
      <div className="keys-sheet">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="eyebrow mb-2">{title}</h3>
            <dl className="grid grid-cols-[9.5rem_1fr] gap-y-2">
              {keys.map(([key, act]) => (
                <div key={act} className="contents">
                  <dt>
                    <kbd className="key" dir="auto">
                      {key}
                    </kbd>
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
