import { i18n, type MessageDescriptor, type MessageOptions } from '@lingui/core'
import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

// What the macros of sentences expand to (lingui.config.ts). English is in the code: it needs no catalogue.
i18n.load('en', {})
i18n.activate('en')

const BACKSLASH = '\\'
const STAND_IN = '\u{F8FF}\u{E0B5}\u{F8FF}'

type Values = Readonly<Record<string, unknown>>

const lingui = i18n._.bind(i18n)

/**
 * Lingui reads \u0041 and \x41 in a finished sentence as characters. What is put into a sentence may be a stranger's text, so
 * its backslashes are out of the way while it does.
 */
function translate(id: string | MessageDescriptor, values?: Values, options?: MessageOptions): string {
  const descriptor: MessageDescriptor =
    typeof id === 'string'
      ? {
          id,
          ...(values ? { values: { ...values } } : {}),
          ...(options?.message === undefined ? {} : { message: options.message }),
        }
      : id
  const given = Object.entries(descriptor.values ?? {})
  if (!given.some(([, value]) => typeof value === 'string' && value.includes(BACKSLASH)))
    return lingui(descriptor)
  const guarded = Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(BACKSLASH, STAND_IN) : value,
    ]),
  )
  return lingui({ ...descriptor, values: guarded }).replaceAll(STAND_IN, BACKSLASH)
}

Object.assign(i18n, { _: translate, t: translate })

/** A text that is put between elements is never read for their marks, whatever it holds. */
export function Trans(props: TransProps) {
  if (!props.values) return <LinguiTrans {...props} />
  const values = Object.fromEntries(
    Object.entries(props.values).map(([name, value]) => [
      name,
      typeof value === 'string' && /[<\\]/.test(value) ? <>{value}</> : value,
    ]),
  )
  return <LinguiTrans {...props} values={values} />
}

export { i18n }
