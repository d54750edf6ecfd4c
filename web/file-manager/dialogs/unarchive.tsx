/** Asks before an archive is unpacked. */
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useController } from '../controller-context.ts'
import { useDialogAction } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { ConfirmDialog } from './question.tsx'

export function UnarchiveDialog({ item, onClose }: { item: FileNode; onClose: () => void }) {
  const controller = useController()
  const { t, driver } = controller
  const folder = controller.targetFolderFor(item)
  const dialogAction = useDialogAction(controller)
  return (
    <ConfirmDialog
      title={t('unarchive')}
      actionText={t('unarchive')}
      dialogAction={dialogAction}
      act={async () => controller.changed(await driver.unarchive(folder, item.path))}
      doneText={t('unarchived')}
      onClose={onClose}
    >
      <NamedItems items={[item]} />
      <p className="soft" dir="auto">
        {t('unarchiveText', folder)}
      </p>
      <p className="soft" dir="auto">
        {t('unarchiveDots')}
      </p>
    </ConfirmDialog>
  )
}
