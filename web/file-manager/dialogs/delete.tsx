/** Asks before files are deleted. */

import { TriangleAlert } from 'lucide-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useController } from '../controller-context.ts'
import { useDialogAction } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { ConfirmDialog } from './question.tsx'

export function DeleteDialog({ items, onClose }: { items: readonly FileNode[]; onClose: () => void }) {
  const controller = useController()
  const { t, driver, path } = controller
  const dialogAction = useDialogAction(controller)
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      actionText={t('yesDelete')}
      danger
      disabled={items.length === 0}
      dialogAction={dialogAction}
      act={async () => controller.changed(await driver.remove(path.peek(), items))}
      doneText={t('deleted')}
      onClose={onClose}
    >
      <p>{t('deleteQuestion')}</p>
      <NamedItems items={items} />
      <p className="fm-warning">
        <TriangleAlert size={16} aria-hidden="true" />
        {t('deleteWarning')}
      </p>
    </ConfirmDialog>
  )
}
