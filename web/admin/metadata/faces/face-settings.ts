/** This browser's settings for finding faces. */
import { signal } from '@preact/signals-react'
import { z } from 'zod'
import { limits } from '../../../../schema/limits.ts'
import { readStored, writeStored } from '../../../kit/stored.ts'

const settings = z.object({
  /** Slider value; a tenth of it is the detector's minimum confidence. */
  confidence: z.int().min(limits.faces.minSlider).max(limits.faces.maxSlider).catch(limits.faces.slider),
  /** Whether sure matches are named at once, in the form and unsaved. */
  nameSure: z.boolean().catch(false),
})
export type FaceSettings = z.output<typeof settings>

export function faceSettingsOf(stored: unknown): FaceSettings {
  return settings.catch({ confidence: limits.faces.slider, nameSure: false }).parse(stored)
}

export const faceSettings = signal<FaceSettings>(faceSettingsOf(readStored('keepsake.faces', z.unknown())))

export function setFaceSettings(change: Partial<FaceSettings>): void {
  faceSettings.value = { ...faceSettings.peek(), ...change }
  writeStored('keepsake.faces', faceSettings.peek())
}

/** Minimum confidence of the detector, 0 to 1. */
export function minConfidence({ confidence }: Pick<FaceSettings, 'confidence'>): number {
  return confidence / 10
}
