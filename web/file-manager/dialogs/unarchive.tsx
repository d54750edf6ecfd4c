/** Asks before an archive is unpacked. */
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useDesk } from '../desk-context.ts'
import { useDoing } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { Question } from './question.tsx'

export function UnarchiveDialog({ item, onClose }: { item: FileNode; onClose: () => void }) {
  const desk = useDesk()
  const { t, driver } = desk
  const folder = desk.placeFor(item)
  const doing = useDoing(desk)
  return (
    <Question
      title={t('unarchive')}
      action={t('unarchive')}
      doing={doing}
      act={async () => desk.changed(await driver.unarchive(folder, item.path))}
      said={t('unarchived')}
      onClose={onClose}
    >
      <NamedItems items={[item]} />
      <p className="soft" dir="auto">
        {t('unarchiveText', folder)}
      </p>
      <p className="soft" dir="auto">
        {t('unarchiveDots')}
      </p>
    </Question>
  )
}
