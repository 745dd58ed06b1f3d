import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { createEmbeddings } from './typed-client/embeddings.ts'
import { editImage, generateImages } from './typed-client/images.ts'
import { speak } from './typed-client/speech.ts'
import { transcribe } from './typed-client/transcriptions.ts'
import { recorded, scripted, upload } from './scripted.ts'

/**
 * Where the service declares compatibility with OpenAI, requests and answers must match the types of the official
 * SDK. The compiler checks the objects, and the test checks that the client sends and accepts them.
 */
const bodyOf = (sent: { body: string | undefined } | undefined): unknown => JSON.parse(sent?.body ?? 'null')

describe('compatible with OpenAI’s types', () => {
  it('embeddings', async () => {
    const asked = {
      model: 'm',
      input: ['a', 'b'],
      encoding_format: 'float',
      dimensions: 2,
    } satisfies OpenAI.EmbeddingCreateParams
    const answer = {
      object: 'list',
      model: 'm',
      usage: { prompt_tokens: 2, total_tokens: 2 },
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, 1] },
        { object: 'embedding', index: 1, embedding: [1, 0.5] },
      ],
    } satisfies OpenAI.CreateEmbeddingResponse
    const { service, sent } = scripted([{ status: 200, body: answer }])
    const result = await createEmbeddings(service, {
      model: 'm',
      input: ['a', 'b'],
      encodingFormat: 'float',
      dimensions: 2,
    })
    expect(bodyOf(sent[0])).toEqual(asked)
    expect(result.vectors).toEqual(answer.data.map(({ embedding }) => embedding))
  })

  it('images', async () => {
    const asked = {
      model: 'm',
      prompt: 'p',
      n: 2,
      quality: 'low',
      output_format: 'webp',
    } satisfies OpenAI.ImageGenerateParams
    const answer = {
      created: 1_788_151_443,
      data: [{ url: 'https://api.service.example/a' }, { b64_json: 'AAAA' }],
    } satisfies OpenAI.ImagesResponse
    const { service, sent } = scripted([{ status: 200, body: answer }])
    const result = await generateImages(service, {
      model: 'm',
      prompt: 'p',
      n: 2,
      quality: 'low',
      outputFormat: 'webp',
    })
    expect(bodyOf(sent[0])).toEqual(asked)
    expect(result).toMatchObject({
      createdAt: answer.created * 1000,
      images: [{ url: 'https://api.service.example/a' }, { base64: 'AAAA' }],
    })
  })

  it('image edits, as a form', async () => {
    const names: (keyof OpenAI.ImageEditParams)[] = ['model', 'prompt', 'image']
    const { service, sent } = scripted([recorded('media')['images']!])
    await editImage(service, { model: 'm', prompt: 'p', image: upload('a.png', 'x', 'image/png') })
    expect([...(sent[0]?.body ?? '').matchAll(/form-data; name="(\w+)"/g)].map(([, name]) => name)).toEqual(
      names,
    )
  })

  it('transcriptions, as a form, plain and verbose', async () => {
    const names: (keyof OpenAI.Audio.TranscriptionCreateParams)[] = [
      'model',
      'response_format',
      'language',
      'prompt',
      'file',
    ]
    const plain = { text: 'Sotto voce.' } satisfies OpenAI.Audio.Transcription
    const segment = {
      id: 0,
      avg_logprob: -0.1,
      compression_ratio: 1,
      start: 0,
      end: 1.5,
      no_speech_prob: 0,
      seek: 0,
      temperature: 0,
      text: 'Sotto voce.',
      tokens: [1],
    } satisfies OpenAI.Audio.TranscriptionSegment
    const verbose = {
      text: 'Sotto voce.',
      duration: 1.5,
      language: 'english',
      segments: [segment],
    } satisfies OpenAI.Audio.TranscriptionVerbose
    for (const [responseFormat, body] of [
      ['json', plain],
      ['verbose_json', verbose],
    ] as const) {
      const { service, sent } = scripted([{ status: 200, body }])
      expect(
        await transcribe(service, {
          file: upload('a.mp3', 'x'),
          model: 'm',
          responseFormat,
          language: 'en',
          prompt: 'p',
        }),
      ).toMatchObject({ text: 'Sotto voce.' })
      expect([...(sent[0]?.body ?? '').matchAll(/form-data; name="(\w+)"/g)].map(([, name]) => name)).toEqual(
        names,
      )
    }
  })

  it('speech', async () => {
    const asked = { model: 'm', input: 'Hello', voice: 'v' } satisfies OpenAI.Audio.SpeechCreateParams
    const { service, sent } = scripted([recorded('audio')['speech']!])
    await speak(service, { model: 'm', input: 'Hello', voice: 'v' })
    expect(bodyOf(sent[0])).toEqual(asked)
  })
})
