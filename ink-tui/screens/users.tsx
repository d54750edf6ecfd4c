/** Users and access: accounts, groups with their members and collections, and the rights matrix. */
import { type ReactElement, useState } from 'react'
import type { Line, Span } from '../line.ts'
import { choiceKey } from '../parts/keys-for.ts'
import { Row } from '../parts/rows.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys } from '../ui.ts'
import { Accounts } from './users/accounts.tsx'
import { Groups } from './users/groups.tsx'
import { Matrix } from './users/matrix.tsx'

const sections = [
  { name: 'Accounts', Shown: Accounts },
  { name: 'Groups', Shown: Groups },
  { name: 'Who may do what', Shown: Matrix },
] as const

export function Users({ width, height, params }: ScreenProps): ReactElement {
  const [section, setSection] = useState(sections.find(({ name }) => name === params.section) ?? sections[0])
  const bindings = [choiceKey('section', 'accounts, groups, rights', sections, section, setSection, { tab: false })]
  useKeys({ title: 'Users and access', bindings })
  const sectionLine: Line = [
    ' ',
    ...sections.flatMap((one): Span[] => [{ text: one.name, style: one === section ? 'bold' : 'dim' }, '   ']),
  ]
  return (
    <>
      <Row line={sectionLine} width={width} />
      <Row line={[]} width={width} />
      <section.Shown width={width} height={height - 2} />
    </>
  )
}
