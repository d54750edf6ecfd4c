/** The upload panel: a collapsible list at the bottom, with each file's state. */
import { useSignals } from '@preact/signals-react/runtime'
import { Check, ChevronDown, ChevronUp, Copy, RotateCcw, X } from 'lucide-react'
import { sizeText } from '../../schema/figures.ts'
import { product } from '../../schema/limits.ts'
import { Button } from '../kit/button.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { ProgressBar } from '../kit/progress-bar.tsx'
import { useHeight } from '../kit/use-height.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { uploadsTexts } from '../texts/uploads.ts'
import { isPending, isUnderway, summaryText, type Upload, uploadPercent, uploadText } from './upload-queue.ts'
import {
  cancelAllUploads,
  cancelUploads,
  clearUploads,
  resumeUploads,
  retryUploads,
  uploadSummary,
  uploads,
  uploadsFolded,
  uploadsHeld,
} from './uploads.ts'

function Mark({ state }: Pick<Upload, 'state'>) {
  if (state === 'done') return <Check size={18} className="soft m-2" aria-hidden="true" />
  if (state === 'duplicate') return <Copy size={18} className="soft m-2" aria-hidden="true" />
  return null
}

function Row({ upload }: { upload: Upload }) {
  const { id, name, folder, size, state } = upload
  const whole = folder === '' ? name : `${folder}/${name}`
  return (
    <li className="upload-row">
      <div className="min-w-0">
        <p className="truncate" dir="auto" title={whole}>
          {name}
        </p>
        <p className={`text-xs ${state === 'failed' ? 'text-error break-words' : 'soft truncate'}`} dir="auto">
          {sizeText(size)} · {uploadText(upload)}
        </p>
      </div>
      <div className="flex">
        {state === 'failed' && (
          <IconButton
            icon={RotateCcw}
            size={18}
            aria-label={uploadsTexts.retryNamed({ name })}
            title={uploadsTexts.retry}
            onClick={() => retryUploads([id])}
          />
        )}
        {isPending(upload) || state === 'failed' ? (
          <IconButton
            icon={X}
            size={18}
            aria-label={uploadsTexts.cancelNamed({ name })}
            title={baseTexts.cancel}
            onClick={() => cancelUploads([id])}
          />
        ) : (
          <Mark state={state} />
        )}
      </div>
      {isUnderway(upload) && <ProgressBar label={name} done={uploadPercent(upload)} />}
    </li>
  )
}

/** Order of the list: running uploads first, then failed ones; completed ones, which the user has seen, last. */
const rank = { sending: 0, keeping: 0, failed: 1, waiting: 2, duplicate: 3, done: 4 } as const

/** Maximum number of files in the list; further ones are only counted. */
const maxShown = 200

function List() {
  useSignals()
  const all = [...uploads.value].sort((a, b) => rank[a.state] - rank[b.state] || a.id - b.id)
  const rest = all.length - maxShown
  return (
    <ul className="uploads-list" aria-label={baseTexts.files}>
      {all.slice(0, maxShown).map(upload => (
        <Row key={upload.id} upload={upload} />
      ))}
      {rest > 0 && <li className="px-4 py-2 soft text-xs">{uploadsTexts.andMore({ count: rest })}</li>}
    </ul>
  )
}

export function UploadPanel() {
  useSignals()
  const open = !uploadsFolded.value
  // Keeps toasts above the panel.
  const ref = useHeight('--uploads')
  const summary = uploadSummary.value
  const { pending, failed, share } = summary
  const isHeld = uploadsHeld.value && pending > 0
  const into = [...new Set(uploads.value.map(one => one.collectionName))]
  return (
    <section ref={ref} className="uploads float" aria-label={uploadsTexts.uploads}>
      <header className="uploads-head">
        <div className="min-w-0 grow">
          <h2 className="font-semibold text-pretty" role="status">
            {summaryText(summary)}
          </h2>
          <p className={`text-xs soft ${isHeld ? '' : 'truncate'}`} dir="auto">
            {isHeld
              ? baseTexts.serverIsCurrentlyNotAvailable({ product })
              : uploadsTexts.toNames({ names: listText(into) })}
          </p>
        </div>
        {isHeld && <Button look="ghost" small text={baseTexts.tryAgain} onClick={resumeUploads} />}
        {pending === 0 && failed > 1 && (
          <Button
            look="ghost"
            small
            text={uploadsTexts.retryAll}
            onClick={() => retryUploads(uploads.peek().map(({ id }) => id))}
          />
        )}
        {pending > 0 && <Button look="ghost" small text={uploadsTexts.cancelAll} onClick={cancelAllUploads} />}
        <Button
          className="icon-button"
          text={open ? <ChevronDown size={20} /> : <ChevronUp size={20} />}
          aria-expanded={open}
          aria-label={open ? uploadsTexts.collapseTheList : uploadsTexts.showTheList}
          title={open ? uploadsTexts.collapse : baseTexts.show}
          onClick={() => {
            uploadsFolded.value = open
          }}
        />
        {pending === 0 && <IconButton icon={X} label={baseTexts.close} onClick={clearUploads} />}
      </header>
      {pending > 0 && <ProgressBar label={uploadsTexts.allUploads} done={share} total={1} className="uploads-bar" />}
      {open && <List />}
    </section>
  )
}
