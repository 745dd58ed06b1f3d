import { t } from '@lingui/core/macro'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { Field } from '../../../ui/field.tsx'

/** NIP-47, including the legacy spelling. The core decides whether the connection is complete. */
const CONNECTION = /^nostr\+?walletconnect:\S+$/

type Fault = 'empty' | 'wrong'

export interface ConnectionInput {
  readonly field: RefObject<HTMLInputElement | null>
  readonly fault: Fault | undefined
  readonly setFault: (fault: Fault | undefined) => void
  /** Reads the pasted text and clears the field. No React state contains the text. */
  readonly take: () => string | undefined
}

/**
 * A wallet connection is a spending key. The window holds it only in its field, until the field's text is
 * sent.
 */
export function useConnectionInput(): ConnectionInput {
  const field = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<Fault>()
  const take = () => {
    const pasted = field.current?.value.trim() ?? ''
    if (field.current) field.current.value = ''
    const good = CONNECTION.test(pasted)
    setFault(good ? undefined : pasted === '' ? 'empty' : 'wrong')
    if (good) return pasted
    field.current?.focus()
    return undefined
  }
  return { field, fault, setFault, take }
}

export function ConnectionField({
  input: { field, fault, setFault },
  label,
  hint,
  disabled,
}: {
  input: ConnectionInput
  label: string
  hint: ReactNode
  disabled: boolean
}) {
  return (
    <Field
      ref={field}
      label={label}
      type="password"
      autoComplete="off"
      maxLength={2048}
      hint={hint}
      fault={
        fault &&
        (fault === 'empty'
          ? t`Paste the wallet connection first.`
          : t`This isn’t a wallet connection. It should start with nostr+walletconnect://. The field was cleared. Paste it again.`)
      }
      disabled={disabled}
      onInput={() => setFault(undefined)}
    />
  )
}
