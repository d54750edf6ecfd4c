/** Asks before an archive is unpacked. */
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useController } from '../controller-context.ts'
import { useDoing } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { Question } from './question.tsx'

export function UnarchiveDialog({ item, onClose }: { item: FileNode; onClose: () => void }) {
  const controller = useController()
  const { t, driver } = controller
  const folder = controller.placeFor(item)
  const doing = useDoing(controller)
  return (
    <Question
      title={t('unarchive')}
      action={t('unarchive')}
      doing={doing}
      act={async () => controller.changed(await driver.unarchive(folder, item.path))}
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
