import { beforeEach, describe, expect, test, vi } from 'vitest'

const stop = vi.fn()
/** Lets the microphone be had. */
let allow: () => void = () => undefined
let broken = false

class FakeRecorder extends EventTarget {
  static isTypeSupported() {
    return true
  }
  state = 'recording'
  start() {
    if (broken) throw new DOMException('The microphone is gone.', 'InvalidStateError')
  }
}
class FakeContext {
  createAnalyser() {
    return { fftSize: 0 }
  }
  createMediaStreamSource() {
    return { connect: () => undefined }
  }
  close() {
    return Promise.resolve()
  }
}
vi.stubGlobal('MediaRecorder', FakeRecorder)
vi.stubGlobal('AudioContext', FakeContext)
vi.stubGlobal('navigator', {
  mediaDevices: {
    getUserMedia: () =>
      new Promise((resolve) => {
        allow = () => resolve({ getTracks: () => [{ stop }] })
      }),
  },
})

const { Recorder } = await import('../../src/renderer/ui/sound/recorder.ts')

beforeEach(() => {
  stop.mockClear()
  broken = false
})

describe('the microphone', () => {
  test('is released if it becomes available after the caller has left', async () => {
    const left = new AbortController()
    const started = Recorder.start(() => undefined, left.signal)
    left.abort()
    allow()
    await expect(started).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(stop).toHaveBeenCalledOnce()
  })

  test('is released if it can’t be recorded from', async () => {
    broken = true
    const started = Recorder.start(() => undefined, new AbortController().signal)
    allow()
    await expect(started).rejects.toThrow(expect.objectContaining({ trouble: 'not-supported' }))
    expect(stop).toHaveBeenCalledOnce()
  })

  test('remains in use while it is recorded', async () => {
    const started = Recorder.start(() => undefined, new AbortController().signal)
    allow()
    await started
    expect(stop).not.toHaveBeenCalled()
  })
})
