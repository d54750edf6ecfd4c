/** Values and errors of a form. A field shows its error once the user has left it, and then also while typing. */
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { faultsOf } from './form.ts'

/**
 * `check`: a schema, or a function that returns the first error of each field. The server's error disappears when the
 * form changes and, if `refusedMs` is given, after so many milliseconds.
 */
export function useForm<Values extends Record<string, string | boolean>>(
  check: z.ZodType | ((values: Values) => Record<string, string>),
  initial: Values,
  refusedMs?: number,
) {
  const [values, setValues] = useState(initial)
  const [leftFields, setLeftFields] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<{ field: string; text: string } | null>(null)
  useEffect(() => {
    if (refused === null || refusedMs === undefined) return
    const timer = setTimeout(() => setRefused(null), refusedMs)
    return () => clearTimeout(timer)
  }, [refused, refusedMs])
  const faults = typeof check === 'function' ? check(values) : faultsOf(check, values)

  function set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void {
    setValues(known => ({ ...known, [name]: value }))
    setRefused(null)
  }

  return {
    values,
    set,
    valid: Object.keys(faults).length === 0,
    /** Shows the server's error for a field; '' means the whole form. */
    refuse: setRefused,
    refused,
    /** Shows all errors, after an attempt to submit. */
    showAllFaults: () => setLeftFields(new Set(Object.keys(values))),
    field(name: keyof Values & string) {
      const value = values[name]
      const fault = refused?.field === name ? refused.text : leftFields.has(name) ? faults[name] : undefined
      return {
        value: typeof value === 'string' ? value : '',
        fault,
        name,
        onChange: (event: { target: { value: string } }) => {
          setValues(known => ({ ...known, [name]: event.target.value }))
          setRefused(null)
        },
        onBlur: () => setLeftFields(known => new Set([...known, name])),
      }
    },
  }
}
