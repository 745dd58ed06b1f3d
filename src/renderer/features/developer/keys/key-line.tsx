import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { MenuItem } from '../../../ui/menu.tsx'
import { RecordLine } from '../../../ui/record-line.tsx'

interface KeyLineProps {
  name: string
  /** States in a word each, such as that the key is revoked. */
  tags: readonly string[]
  /** Below the name: the part of the secret that can be shown. */
  secret?: ReactNode
  worksAt: string
  budget: ReactNode
  limits: ReactNode
  used: ReactNode
  /** Empty if nothing can be done with the key anymore. */
  actions: readonly MenuItem[]
}

/** A key of either kind. */
export function KeyLine({ name, tags, secret, worksAt, budget, limits, used, actions }: KeyLineProps) {
  return (
    <RecordLine
      name={name}
      tags={tags}
      detail={secret}
      cells={[
        { label: t`Works at`, content: worksAt },
        { label: t`Budget`, content: budget },
        { label: t`Limits`, content: limits },
        { label: t`Last used`, content: used },
      ]}
      actions={actions}
    />
  )
}

/** The names of a key's columns. */
export function keyColumns(): readonly string[] {
  return [t`Name`, t`Works at`, t`Budget`, t`Limits`, t`Last used`]
}
