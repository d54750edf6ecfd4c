/** Dialogs with a name field: new folder, new file, rename, archive. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FileListing, FileNode } from '../../../schema/api/file-manager.ts'
import { Field } from '../../kit/form/field.tsx'
import { useController } from '../controller-context.ts'
import { useDoing } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { Question } from './question.tsx'

interface NameProps {
  title: string
  label: string
  hint?: string
  placeholder?: string
  initial?: string
  /** Length of the initially selected part of the name, without a file's extension. */
  marked?: number
  action: string
  /** Whether the name may be empty. */
  emptyAllowed?: boolean
  children?: ReactNode
  send: (name: string) => Promise<FileListing | null>
  said: (name: string) => string
  onClose: () => void
}

function NameDialog(props: NameProps) {
  const { title, label, hint, placeholder, initial = '', marked, action, children, send, said, onClose } = props
  const controller = useController()
  const [name, setName] = useState(initial)
  const doing = useDoing(controller)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(0, marked ?? field.current.value.length)
  }, [marked])
  const isEmpty = name.trim() === '' && props.emptyAllowed !== true
  const act = async () => {
    const listing = await send(name)
    const made = listing?.files.find(({ basename }) => basename === name.normalize('NFC'))
    await controller.changed(listing, made?.path)
  }
  return (
    <Question
      title={title}
      action={action}
      disabled={isEmpty}
      doing={doing}
      act={act}
      said={said(name)}
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
    </Question>
  )
}

interface OwnProps {
  onClose: () => void
}

export function NewDialog({ kind, onClose }: OwnProps & { kind: 'new-folder' | 'new-file' }) {
  const { t, driver, path } = useController()
  const here = path.peek()
  const isFolder = kind === 'new-folder'
  return (
    <NameDialog
      title={t(isFolder ? 'newFolder' : 'newFile')}
      label={t(isFolder ? 'folderName' : 'fileName')}
      hint={t(isFolder ? 'newFolderHint' : 'newFileHint', here)}
      action={t('create')}
      send={name => (isFolder ? driver.newFolder(here, name) : driver.newFile(here, name))}
      said={name => t('created', name)}
      onClose={onClose}
    />
  )
}

export function RenameDialog({ item, onClose }: OwnProps & { item: FileNode }) {
  const { t, driver, path } = useController()
  const { basename, extension, type } = item
  const ending = type === 'file' && extension !== '' ? extension.length + 1 : 0
  return (
    <NameDialog
      title={t('rename')}
      label={t('newName')}
      initial={basename}
      marked={basename.length - ending}
      action={t('rename')}
      send={name => driver.rename(path.peek(), item.path, name)}
      said={name => t('renamed', name)}
      onClose={onClose}
    />
  )
}

export function ArchiveDialog({ items, onClose }: OwnProps & { items: readonly FileNode[] }) {
  const { t, driver, path, placeFor } = useController()
  const folder = placeFor(items[0])
  return (
    <NameDialog
      title={t('archiveTitle')}
      label={t('name')}
      placeholder={t('archiveName')}
      action={t('archive')}
      emptyAllowed
      {...(folder === path.peek() ? {} : { hint: t('archiveInto', folder) })}
      send={name => driver.archive(folder, items, name)}
      said={() => t('archived')}
      onClose={onClose}
    >
      <NamedItems items={items} />
    </NameDialog>
  )
}
