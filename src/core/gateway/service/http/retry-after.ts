/** IMF-fixdate, the form of HTTP dates that senders must write (RFC 9110 section 5.6.7). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/
const MOST_SECONDS = 999_999

/**
 * Reads the seconds to wait from a Retry-After header: seconds or a date (RFC 9110 section 10.2.3). A date is
 * compared with the answer's own Date if there is one, because clocks differ, otherwise with `now` (Unix ms).
 * Undefined for any other value.
 */
export function retryAfterSeconds(
  headers: { get(name: string): string | null },
  now: () => number = Date.now,
): number | undefined {
  const header = headers.get('retry-after')?.trim()
  if (header === undefined) return undefined
  if (/^\d{1,6}$/.test(header)) return Number(header)
  const until = httpDate(header)
  if (until === undefined) return undefined
  const seconds = Math.ceil((until - (httpDate(headers.get('date') ?? '') ?? now())) / 1000)
  return Math.min(Math.max(seconds, 0), MOST_SECONDS)
}

/** Returns Unix ms; undefined for another form of date. */
export function httpDate(text: string): number | undefined {
  const time = HTTP_DATE.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(time) ? undefined : time
}
