/** An empty state: the reason, and the next step. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function Empty({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon?: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="h-full grid place-items-center p-6">
      <div className="grid grid-cols-[minmax(0,1fr)] justify-items-center text-center pb-6 max-w-full">
        {Icon !== undefined && <Icon size={40} strokeWidth={1.25} className="soft mb-6" aria-hidden="true" />}
        <h1 className="text-xl font-semibold text-balance wrap-anywhere max-w-[min(480px,100%)]">{title}</h1>
        {children !== undefined && (
          <div className="soft mt-2 text-balance wrap-anywhere max-w-[min(340px,100%)]">{children}</div>
        )}
        {actions !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-2 min-h-10">{actions}</div>}
      </div>
    </div>
  )
}
