import { expect, test } from '@playwright/test'
import { hum, sampleRate, writeWave } from '../../src/sandbox/audio/wave.ts'
import { paint, tile, type Picture } from '../../src/sandbox/image/picture.ts'
import { encodeJpeg, encodePng, encodeWebp } from '../../src/sandbox/image/render.ts'
import { renderVideo } from '../../src/sandbox/video/render.ts'

/**
 * A browser shows the sandbox's pictures correctly. The sandbox has its own encoders, so the browser's
 * decoders are an independent check.
 */
const recipe = {
  seed: 'a quiet room by the sea',
  width: 602,
  height: 333,
  transparent: false,
}

/** Centers of tiles all over the picture. */
function places({ width, height }: { width: number; height: number }): [number, number][] {
  return Array.from(
    { length: 60 },
    (_, at) =>
      [
        Math.floor(((at * 7919) % width) / tile) * tile + 4,
        Math.floor(((at * 104_729) % height) / tile) * tile + 4,
      ] as [number, number],
  ).filter(([x, y]) => x < width && y < height)
}

function painted({ palette, tiles, columns, transparent }: Picture, [x, y]: [number, number]): number[] {
  const place = tiles[Math.floor(y / tile) * columns + Math.floor(x / tile)] ?? 0
  return transparent && place === 0 ? [0, 0, 0, 0] : [...palette[place]!, 255]
}

function near(shown: number[][], wanted: number[][], tolerance: number): void {
  const furthest = Math.max(
    ...shown.flatMap((colour, at) => colour.map((value, channel) => Math.abs(value - wanted[at]![channel]!))),
  )
  expect(furthest).toBeLessThanOrEqual(tolerance)
}

for (const [name, encode, transparent, tolerance] of [
  ['png', encodePng, false, 0],
  ['jpeg', encodeJpeg, false, 3],
  ['webp', encodeWebp, false, 0],
  ['png', encodePng, true, 0],
  ['webp', encodeWebp, true, 0],
] as const) {
  test(`the browser shows a ${transparent ? 'transparent ' : ''}${name} as it was painted`, async ({
    page,
  }) => {
    const picture = paint({ ...recipe, transparent })
    const shown = await page.evaluate(
      async ({ url, at }) => {
        const image = new Image()
        image.src = url
        await image.decode()
        const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
        const context = canvas.getContext('2d')!
        context.drawImage(image, 0, 0)
        return {
          width: image.naturalWidth,
          height: image.naturalHeight,
          colours: at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]),
        }
      },
      { url: `data:image/${name};base64,${encode(picture).toString('base64')}`, at: places(recipe) },
    )
    expect([shown.width, shown.height]).toEqual([602, 333])
    near(
      shown.colours,
      places(recipe).map((place) => painted(picture, place)),
      tolerance,
    )
  })
}

test('the browser plays a clip for as long as requested, and shows that it moves', async ({ page }) => {
  await page.setContent('<video muted preload="auto"></video>')
  const video = page.locator('video')
  for (const [width, height, seconds] of [
    [854, 480, 5],
    [720, 1280, 8],
    [1080, 1080, 10],
  ] as const) {
    const { bytes, contentType } = renderVideo({ kind: 'video', picture: { width, height }, seconds })!
    await video.evaluate(
      (element: HTMLVideoElement, url) => {
        element.src = url
      },
      `data:${contentType};base64,${bytes.toString('base64')}`,
    )
    await expect(video).toHaveJSProperty('readyState', 4)
    await video.evaluate((element: HTMLVideoElement) => {
      element.currentTime = element.duration * 0.62
    })
    expect(
      await video.evaluate(({ videoWidth, videoHeight, duration }: HTMLVideoElement) => [
        videoWidth,
        videoHeight,
        duration,
      ]),
    ).toEqual([width, height, seconds])
    // The disc in the middle of the thirteenth of twenty frames, and the background at the disc's first
    // position.
    const places = [
      [0.592, 0.221],
      [0.15, 0.45],
    ].map(([x = 0, y = 0]) => [Math.floor(x * width), Math.floor(y * height)] as const)
    // The frame is on the screen some time after the browser reports the seek.
    await expect(async () => {
      const colours = await video.evaluate((element: HTMLVideoElement, at) => {
        const context = new OffscreenCanvas(element.videoWidth, element.videoHeight).getContext('2d')!
        context.drawImage(element, 0, 0)
        return at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data])
      }, places)
      near(
        colours,
        [
          [255, 200, 80, 255],
          [30, 50, 90, 255],
        ],
        16,
      )
    }).toPass({ timeout: 60_000 })
  }
})

test('the browser hears what was spoken', async ({ page }) => {
  const samples = hum('The tide comes in. Does it go out again?', 180)
  const heard = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const audio = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(bytes.buffer)
    return {
      seconds: audio.duration,
      channels: audio.numberOfChannels,
      samples: [...audio.getChannelData(0)],
    }
  }, writeWave(samples, 'The tide comes in. Does it go out again?').toString('base64'))
  expect([heard.seconds, heard.channels]).toEqual([samples.length / sampleRate, 1])
  expect(Math.max(...heard.samples.map((sample, at) => Math.abs(sample - samples[at]!)))).toBeLessThan(0.001)
  expect(Math.max(...heard.samples)).toBeGreaterThan(0.2)
})
