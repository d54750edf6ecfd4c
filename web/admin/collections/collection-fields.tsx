/** Parts of a collection's form: a path with a folder picker, and the fields of managed collections. */

import { FolderOpen } from 'lucide-react'
import { type ComponentProps, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { folderTokens } from '../../../schema/api/collections.ts'
import { Button } from '../../kit/button.tsx'
import { dayOf } from '../../kit/dates.ts'
import { Field } from '../../kit/form/field.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { later } from '../../kit/later.tsx'
import { inSentence } from '../../kit/words.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { exampleOf, withToken } from './collection-draft.ts'

const FolderPicker = later(async () => (await import('./folder-picker.tsx')).FolderPicker)

const plainText = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, mono: true } as const

export function PathField({
  onChoose,
  ...field
}: ComponentProps<typeof Field> & {
  /** If absent, the path is read-only. */
  onChoose?: (path: string) => void
}) {
  const [choosing, setChoosing] = useState(false)
  const { label, value: typed } = field
  if (onChoose === undefined) return <Field {...plainText} {...field} readOnly />
  return (
    <div className="path-field">
      <Field {...plainText} {...field} />
      <IconButton
        icon={FolderOpen}
        aria-label={collectionsTexts.chooseField({ field: inSentence(label) })}
        title={baseTexts.chooseAFolder}
        onClick={() => setChoosing(true)}
      />
      {choosing && (
        <Suspense fallback={null}>
          <FolderPicker
            typed={typeof typed === 'string' ? typed : ''}
            onChoose={onChoose}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Folder format and filename prefix, with buttons for tokens, and an example. */
export function ManagedFields({
  folderFormat,
  fileFormat,
  onFormat,
  readOnly,
}: {
  folderFormat: ComponentProps<typeof Field>
  fileFormat: ComponentProps<typeof Field>
  onFormat: (text: string) => void
  readOnly: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const [{ value: folderValue }, { value: fileValue }] = [folderFormat, fileFormat]
  const [format, prefix] = [String(folderValue ?? ''), String(fileValue ?? '')]
  const insert = (token: string) => {
    const input = box.current?.querySelector('input')
    if (input === undefined || input === null) return
    const [start, end] = [input.selectionStart ?? format.length, input.selectionEnd ?? format.length]
    const inserted = withToken(format, { start, end }, token)
    // Render synchronously, so that further typing is inserted after the token.
    flushSync(() => onFormat(inserted.text))
    input.focus()
    input.setSelectionRange(inserted.caret, inserted.caret)
  }
  const hasFault = folderFormat.fault !== undefined || fileFormat.fault !== undefined
  return (
    <div className="managed-fields">
      <div ref={box}>
        <Field {...plainText} {...folderFormat} readOnly={readOnly} />
      </div>
      <Field {...plainText} {...fileFormat} readOnly={readOnly} />
      <div className="token-line">
        {!readOnly && (
          <>
            <span className="soft">{collectionsTexts.youCanUse}</span>
            {folderTokens.map(token => (
              <Button
                className="token"
                text={`{${token}}`}
                key={token}
                aria-label={collectionsTexts.insert({ token: `{${token}}` })}
                onClick={() => insert(token)}
              />
            ))}
          </>
        )}
        <p className="soft w-full min-h-4">
          {!hasFault &&
            collectionsTexts.formatExample({
              day: dayOf('2019-08-03'),
              path: <bdi className="font-mono">{exampleOf({ folderFormat: format, fileFormat: prefix })}</bdi>,
            })}
        </p>
      </div>
    </div>
  )
}
