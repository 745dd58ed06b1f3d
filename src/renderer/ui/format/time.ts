import { t } from '@lingui/core/macro'
import { splitDuration } from '../../../shared/duration.ts'
import { perLocale } from '../language/format-locale.ts'
import { isolate } from '../language/language.ts'
import { formatDecimal } from './number.ts'

const dateTime = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
)
const dateMinute = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
)
const clock = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
const exactClock = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }))
const day = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))

const utcDay = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
)

const milliseconds = (places: number) =>
  perLocale(
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: 'millisecond',
        minimumFractionDigits: places,
        maximumFractionDigits: places,
      }),
  )
const wholeMilliseconds = milliseconds(0)
const tenthsOfMilliseconds = milliseconds(1)

const ago = perLocale((locale) => new Intl.RelativeTimeFormat(locale))

const DAY = 86_400_000

export function formatDateTime(at: number): string {
  return dateTime().format(at)
}

/** The date of a day that is known in UTC, without a time. */
export function formatUtcDay(at: number): string {
  return utcDay().format(at)
}

/** To the minute, for a time that was set to the minute. */
export function formatDateMinute(at: number): string {
  return dateMinute().format(at)
}

/** The time of day for today, the date for other days. `exact` adds seconds for today, and the time for other days. */
export function formatMoment(at: number, now: number, exact = false): string {
  const today = startOfDay(at) === startOfDay(now)
  if (exact) return today ? exactClock().format(at) : dateTime().format(at)
  return today ? clock().format(at) : day().format(at)
}

export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** A duration in its two largest units: "52 min 10 s". */
export function formatDuration(ms: number): string {
  const { days: d, hours: h, minutes: m, seconds: s } = splitDuration(ms)
  if (d > 0) return h > 0 ? t`${d} d ${h} h` : t`${d} d`
  if (h > 0) return m > 0 ? t`${h} h ${m} min` : t`${h} h`
  if (m > 0) return t`${m} min ${s} s`
  return t`${s} s`
}

/** Below one second in milliseconds, then in tenths of a second. */
export function formatLatency(ms: number): string {
  if (ms < 1000) return isolate(wholeMilliseconds().format(ms))
  const s = formatDecimal((ms / 1000).toFixed(1), 1)
  return isolate(t`${s} s`)
}

/** The time that Sotto added to a request: below 10 ms in tenths, because it is often less than 1 ms. */
export function formatAdded(ms: number): string {
  return ms < 10 ? isolate(tenthsOfMilliseconds().format(ms)) : formatLatency(ms)
}

/** CLDR's Hebrew repeats one and two as a digit, "לפני שעתיים (2)". The word is enough. */
function formatAgo(count: number, unit: 'minute' | 'hour' | 'day'): string {
  return ago()
    .format(-count, unit)
    .replace(/ \(\d\)$/, '')
}

/** The age in one unit. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds < 60) return t`less than a minute ago`
  if (seconds < 3600) return formatAgo(Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return formatAgo(Math.floor(seconds / 3600), 'hour')
  return formatAgo(Math.floor(seconds / 86_400), 'day')
}

/** The heading for an item in a list by age. */
export function formatDayHeading(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY)
  if (days <= 0) return t`Today`
  if (days === 1) return t`Yesterday`
  if (days < 7) return t`This week`
  if (days < 31) return t`This month`
  return t`Earlier`
}
