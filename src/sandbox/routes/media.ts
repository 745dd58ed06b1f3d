import { z } from 'zod'
import { mediaDialect } from '../dialect.ts'
import { renderImage } from '../image/render.ts'
import type { Generation } from '../media/generations.ts'
import type { Reply } from '../refusal.ts'
import { bare, publicRoute, type Route } from '../route/route.ts'
import { renderVideo } from '../video/render.ts'

/** Generated media, for everyone who has its signed address. It is rendered for each request, to the same bytes. */
export const mediaRoutes: readonly Route[] = [
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/v1/media/{id}/{index}',
    tag: 'Media',
    summary: 'Download generated media by its signed address',
    answers: {
      200: { description: 'The image or the video' },
      206: { description: 'The requested range of bytes' },
      403: { description: 'The signature is invalid, or the URL has expired' },
      416: { description: 'The range is not satisfiable' },
    },
    dialect: mediaDialect,
    params: z.object({ id: z.string().max(100), index: z.string().max(10) }),
    serve: ({ generations, signedUrls }, { http, now, params }) => {
      if (!signedUrls.holds(http.url, now))
        return mediaDialect.refuse(403, 'The signature is invalid, or the URL has expired')
      const generation = generations.find(params.id)
      const rendered =
        generation && generation.readyAt <= now && generation.error === null
          ? render(generation, Number(params.index))
          : undefined
      return rendered
        ? rangeReply(rendered.bytes, rendered.contentType, http.headers.range)
        : mediaDialect.refuse(404, 'Not found')
    },
  }),
]

type Rendered = { readonly contentType: string; readonly bytes: Buffer }

function render({ recipe }: Generation, index: number): Rendered | undefined {
  if (recipe.kind === 'image') return renderImage(recipe, index)
  if (index !== 0) return undefined
  return renderVideo(recipe)
}

/** One range of bytes (RFC 9110, section 14), or the whole file without a valid range. */
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
