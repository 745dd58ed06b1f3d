#!/usr/bin/env node
import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The command as it is installed. */
keepInspectorClosed()
keepCompiledCode()
await import('./index.ts')
