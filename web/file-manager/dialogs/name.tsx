/** Dialogs with a name field: new folder, new file, rename, archive. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FileListing, FileNode } from '../../../schema/api/file-manager.ts'
import { Field } from '../../kit/form/field.tsx'
import { useController } from '../controller-context.ts'
import { useDialogAction } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { ConfirmDialog } from './question.tsx'

interface NameProps {
  title: string
  label: string
  hint?: string
  placeholder?: string
  initial?: string
  /** Length of the initially selected part of the name, without a file's extension. */
  selectedLength?: number
  actionText: string
  /** Whether the name may be empty. */
  emptyAllowed?: boolean
  children?: ReactNode
  submit: (name: string) => Promise<FileListing | null>
  doneText: (name: string) => string
  onClose: () => void
}

function NameDialog(props: NameProps) {
  const {
    title,
    label,
    hint,
    placeholder,
    initial = '',
    selectedLength,
    actionText,
    children,
    submit,
    doneText,
    onClose,
  } = props
  const controller = useController()
  const [name, setName] = useState(initial)
  const dialogAction = useDialogAction(controller)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(0, selectedLength ?? field.current.value.length)
  }, [selectedLength])
  const isEmpty = name.trim() === '' && props.emptyAllowed !== true
  const act = async () => {
    const listing = await submit(name)
    const created = listing?.files.find(({ basename }) => basename === name.normalize('NFC'))
    await controller.changed(listing, created?.path)
  }
  return (
    <ConfirmDialog
      title={title}
      actionText={actionText}
      disabled={isEmpty}
      dialogAction={dialogAction}
      act={act}
      doneText={doneText(name)}
      onClose={onClose}
    >
      {children}
      <Field
        label={label}
        hint={hint === undefined ? null : <bdi>{hint}</bdi>}
        ref={field}
        type="text"
        dir={name === '' ? undefined : 'auto'}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={name}
        onChange={event => setName(event.target.value)}
      />
    </ConfirmDialog>
  )
}

interface DialogProps {
  onClose: () => void
}

export function NewDialog({ kind, onClose }: DialogProps & { kind: 'new-folder' | 'new-file' }) {
  const { t, driver, path } = useController()
  const here = path.peek()
  const isFolder = kind === 'new-folder'
  return (
    <NameDialog
      title={t(isFolder ? 'newFolder' : 'newFile')}
      label={t(isFolder ? 'folderName' : 'fileName')}
      hint={t(isFolder ? 'newFolderHint' : 'newFileHint', here)}
      actionText={t('create')}
      submit={name => (isFolder ? driver.newFolder(here, name) : driver.newFile(here, name))}
      doneText={name => t('created', name)}
      onClose={onClose}
    />
  )
}

export function RenameDialog({ item, onClose }: DialogProps & { item: FileNode }) {
  const { t, driver, path } = useController()
  const { basename, extension, type } = item
  const endingLength = type === 'file' && extension !== '' ? extension.length + 1 : 0
  return (
    <NameDialog
      title={t('rename')}
      label={t('newName')}
      initial={basename}
      selectedLength={basename.length - endingLength}
      actionText={t('rename')}
      submit={name => driver.rename(path.peek(), item.path, name)}
      doneText={name => t('renamed', name)}
      onClose={onClose}
    />
  )
}

export function ArchiveDialog({ items, onClose }: DialogProps & { items: readonly FileNode[] }) {
  const { t, driver, path, targetFolderFor } = useController()
  const folder = targetFolderFor(items[0])
  return (
    <NameDialog
      title={t('archiveTitle')}
      label={t('name')}
      placeholder={t('archiveName')}
      actionText={t('archive')}
      emptyAllowed
      {...(folder === path.peek() ? {} : { hint: t('archiveInto', folder) })}
      submit={name => driver.archive(folder, items, name)}
      doneText={() => t('archived')}
      onClose={onClose}
    >
      <NamedItems items={items} />
    </NameDialog>
  )
}
