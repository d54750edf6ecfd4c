/** A progress bar. */
export function ProgressBar({
  label,
  done,
  total = 100,
  className = '',
}: {
  label: string
  /** Null while unknown. */
  done: number | null
  total?: number
  className?: string
}) {
  const percent = ((done ?? 0) / Math.max(1, total)) * 100
  return (
    <div
      className={`bar ${className}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={done === null ? undefined : Math.round(percent)}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  )
}
