import type { PurchaseAsk } from '../../shared/contract/purchases.ts'
import { SottoError } from '../../shared/errors.ts'
import { MAX_PICTURE_BYTES } from '../../shared/attachment-limits.ts'
import { msg } from '../../shared/localized-text.ts'
import type { PayableAsk } from '../gateway/relay/index.ts'

/** Converts the window's purchase request to the relay's. @throws {SottoError} request/invalid */
export function payableAsk(ask: PurchaseAsk): PayableAsk {
  switch (ask.endpoint) {
    case 'images/generations':
    case 'videos':
      return { endpoint: ask.endpoint, body: ask.body }
    case 'data':
      return { endpoint: 'data', method: ask.method, path: ask.path, input: ask.input }
    case 'images/edits': {
      const { image } = ask
      if (image.size > MAX_PICTURE_BYTES)
        throw new SottoError('request/invalid', {
          param: 'image',
          detail: msg('An image can be up to 25 MB.'),
        })
      const name = image instanceof File ? image.name : 'image'
      return {
        endpoint: 'images/edits',
        form: {
          fields: Object.entries(ask.fields),
          files: [
            {
              field: 'image',
              upload: {
                name,
                type: image.type === '' ? 'application/octet-stream' : image.type,
                size: image.size,
                content: image.stream(),
              },
            },
          ],
        },
      }
    }
  }
}
