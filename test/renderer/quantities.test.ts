import { describe, expect, it } from 'vitest'
import { formatBytes as formatWindowBytes } from '../../src/renderer/ui/format/number.ts'
import { formatDuration as formatWindowDuration } from '../../src/renderer/ui/format/time.ts'
import { formatBytes } from '../../src/shared/byte-size.ts'
import { formatDuration } from '../../src/shared/duration.ts'

describe('the command line writes quantities as the window does', () => {
  it('durations', () => {
    const durations = [
      0, 999, 59_999, 60_000, 3_599_999, 3_600_000, 3_660_000, 86_400_000, 90_000_000, 900_000_000, -5,
    ]
    expect(durations.map(formatDuration)).toEqual(durations.map(formatWindowDuration))
  })

  it('sizes', () => {
    const sizes = [0, 1023, 1024, 1_048_575, 1_048_576, 25_000_000]
    expect(sizes.map(formatBytes)).toEqual(sizes.map(formatWindowBytes))
  })
})
