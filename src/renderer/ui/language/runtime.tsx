import { i18n, type MessageDescriptor, type MessageOptions } from '@lingui/core'
import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

// The target of Lingui's macros (lingui.config.ts). English needs no catalog, because it is in the code.
i18n.load('en', {})
i18n.activate('en')

const BACKSLASH = '\\'
const PLACEHOLDER = '\u{F8FF}\u{E0B5}\u{F8FF}'

type Values = Readonly<Record<string, unknown>>

const lingui = i18n._.bind(i18n)

/**
 * Lingui reads \u0041 and \x41 in a finished sentence as characters. A value in a sentence may be untrusted text, so
 * its backslashes are replaced during that step.
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
  const entries = Object.entries(descriptor.values ?? {})
  if (!entries.some(([, value]) => typeof value === 'string' && value.includes(BACKSLASH)))
    return lingui(descriptor)
  const guarded = Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(BACKSLASH, PLACEHOLDER) : value,
    ]),
  )
  return lingui({ ...descriptor, values: guarded }).replaceAll(PLACEHOLDER, BACKSLASH)
}

Object.assign(i18n, { _: translate, t: translate })

/** Text values with markup characters are passed as elements, so that Lingui never reads markup in them. */
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
