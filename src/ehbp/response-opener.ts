import { EhbpError, AEAD_TAG_BYTES, sequenceNonce } from './protocol.ts'
import { FrameReader } from './frame-reader.ts'
import type { Aead } from './primitives.ts'

export interface ResponseOpener {
  /**
   * Plaintext of the frames that `bytes` completes, in order; frames without plaintext are left out. `bytes`
   * may be reused afterwards.
   * Throws EhbpError: ehbp/open-failed, ehbp/frame-too-large. Frames before the bad one are returned first:
   * the error then comes from the next call, so the delivered bytes don't depend on how the network cut the
   * stream.
   */
  readonly push: (bytes: Uint8Array) => Uint8Array[]
  /**
   * Call at the end of the body. Throws ehbp/truncated inside a frame, or the error that an earlier push
   * deferred.
   */
  readonly end: () => void
}

/** A failure is final: nothing is opened after it. */
export function createResponseOpener(aead: Aead, baseNonce: Uint8Array): ResponseOpener {
  const frames = new FrameReader()
  let sequence = 0
  let failure: EhbpError | undefined

  function open(ciphertext: Uint8Array): Uint8Array {
    const nonce = sequenceNonce(baseNonce, sequence)
    const plaintext = ciphertext.byteLength < AEAD_TAG_BYTES ? undefined : aead.open(nonce, ciphertext)
    if (plaintext === undefined)
      throw new EhbpError(
        'ehbp/open-failed',
        'A frame of the response was not sealed by the key that the request was sealed to, or was changed, repeated or moved.',
      )
    sequence += 1
    return plaintext
  }

  function rethrow(): void {
    if (failure !== undefined) throw failure
  }

  return {
    push(bytes) {
      rethrow()
      const opened: Uint8Array[] = []
      try {
        for (const ciphertext of frames.push(bytes)) {
          const plaintext = open(ciphertext)
          if (plaintext.byteLength > 0) opened.push(plaintext)
        }
      } catch (cause) {
        failure =
          cause instanceof EhbpError
            ? cause
            : new EhbpError('ehbp/open-failed', 'The response could not be opened.', cause)
        if (opened.length === 0) throw failure
      }
      return opened
    },
    end() {
      rethrow()
      if (!frames.atBoundary) throw new EhbpError('ehbp/truncated', 'The response ended inside a frame.')
    },
  }
}
