/** A place with nothing in it: why, and the next step. */
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
      <div className="grid justify-items-center text-center pb-6">
        {Icon !== undefined && <Icon size={40} strokeWidth={1.25} className="soft mb-6" aria-hidden="true" />}
        <h1 className="text-xl font-semibold text-balance max-w-[480px]">{title}</h1>
        {children !== undefined && <div className="soft mt-2 text-balance max-w-[340px]">{children}</div>}
        {actions !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-2 min-h-10">{actions}</div>}
      </div>
    </div>
  )
}
