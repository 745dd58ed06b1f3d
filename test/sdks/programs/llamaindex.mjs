import { Settings } from '@llamaindex/core/global'
import { openai, OpenAIEmbedding } from '@llamaindex/openai'
import {
  baseUrl,
  city,
  embeddingModel,
  getWeather,
  key,
  model,
  question,
  report,
  toolRequest,
} from './task.mjs'

const chat = openai({ model, apiKey: key, baseURL: baseUrl, maxRetries: 0 })
Settings.llm = chat
const ask = (messages, tools) => chat.chat({ messages, ...(tools && { tools }) })
const textOf = ({ message: { content } }) =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')

const whole = await ask([{ role: 'user', content: question }])
let streamed = ''
for await (const { delta } of await chat.chat({
  messages: [{ role: 'user', content: question }],
  stream: true,
}))
  streamed += delta

const tools = [
  { call: getWeather, metadata: { name: 'get_weather', description: 'Weather of a city', parameters: city } },
]
const messages = [{ role: 'user', content: toolRequest }]
const first = await ask(messages, tools)
messages.push(first.message)
for (const { id, input } of first.message.options.toolCall)
  messages.push({
    role: 'user',
    content: getWeather(typeof input === 'string' ? JSON.parse(input) : input),
    options: { toolResult: { id, result: 'ok', isError: false } },
  })
const afterTool = await ask(messages, tools)
const secondTurn = await ask([...messages, afterTool.message, { role: 'user', content: question }], tools)
const vectors = (
  await new OpenAIEmbedding({ model: embeddingModel, apiKey: key, baseURL: baseUrl }).getTextEmbeddings([
    'a',
    'b',
  ])
).map((vector) => vector.length)
report({
  whole: textOf(whole),
  streamed,
  afterTool: textOf(afterTool),
  secondTurn: textOf(secondTurn),
  vectors,
})
