import type { Reply } from '../route/reply.ts'

/** One range of bytes (RFC 9110, section 14), or the whole where none is asked for in a form that is understood. */
export function rangeReply(bytes: Buffer, contentType: string, range: string | undefined): Reply {
  const headers = { 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=3600' }
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return { status: 200, contentType, body: bytes, headers }
  const first = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (first > last)
    return {
      status: 416,
      contentType: 'text/plain; charset=utf-8',
      body: 'Range Not Satisfiable',
      headers: { ...headers, 'content-range': `bytes */${bytes.length}` },
    }
  return {
    status: 206,
    contentType,
    body: bytes.subarray(first, last + 1),
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
  }
}
