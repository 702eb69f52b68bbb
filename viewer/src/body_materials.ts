// The materials of bodies: colours come from a table by body, or from a ramp by the field's value at each corner.
import * as THREE from 'three'
import { rampBytes, type Rgb } from './palette'
import type { Field } from './run_data'

const tableWidth = 256
const rampSize = 256

function texture(bytes: Uint8Array, width: number, height: number): THREE.DataTexture {
  const result = new THREE.DataTexture(bytes, width, height, THREE.RGBAFormat)
  result.colorSpace = THREE.SRGBColorSpace
  result.needsUpdate = true
  return result
}

/** Shared by all materials of bodies, so that one change reaches them all. */
export class BodyColoring {
  readonly uniforms = {
    bodyColors: { value: texture(new Uint8Array(4 * tableWidth), tableWidth, 1) },
    ramp: { value: texture(new Uint8Array(4 * rampSize), rampSize, 1) },
    useRamp: { value: false },
    scaleBegin: { value: 0 },
    scaleEnd: { value: 1 },
    selectedBody: { value: -1 },
    accent: { value: new THREE.Color() },
  }

  setBodies(colors: Rgb[]) {
    const height = Math.max(1, Math.ceil(colors.length / tableWidth))
    const bytes = new Uint8Array(4 * tableWidth * height)
    colors.forEach((color, i) => bytes.set([...color.map((c) => Math.round(255 * c)), 255], 4 * i))
    this.uniforms.bodyColors.value.dispose()
    this.uniforms.bodyColors.value = texture(bytes, tableWidth, height)
  }

  setField(field: Field | null, scaleEnd: number) {
    this.uniforms.useRamp.value = field !== null
    this.uniforms.scaleEnd.value = scaleEnd > 0 ? scaleEnd : 1
    this.uniforms.scaleBegin.value = field?.signed ? -this.uniforms.scaleEnd.value : 0
    if (!field) return
    const ramp = texture(rampBytes(field, rampSize), rampSize, 1)
    ramp.magFilter = ramp.minFilter = THREE.LinearFilter
    this.uniforms.ramp.value.dispose()
    this.uniforms.ramp.value = ramp
  }

  /** A material lit as usual whose colour is looked up. `fields`: it shows fields. */
  material(fields: boolean, parameters: THREE.MeshStandardMaterialParameters): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.62,
      metalness: 0,
      side: THREE.DoubleSide,
      shadowSide: THREE.DoubleSide,
      polygonOffset: true, // the lines of the mesh lie on it
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
      ...parameters,
    })
    material.defines = { ...material.defines, ...(fields ? { SHOWS_FIELDS: '' } : {}) }
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms)
      shader.vertexShader = shader.vertexShader
        .replace(
          '#include <common>',
          `#include <common>
          attribute float body;
          attribute float value;
          varying float shownBody;
          varying float shownValue;`,
        )
        .replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>
          shownBody = body;
          shownValue = value;`,
        )
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          `#include <common>
          varying float shownBody;
          varying float shownValue;
          uniform sampler2D bodyColors;
          uniform sampler2D ramp;
          uniform bool useRamp;
          uniform float scaleBegin;
          uniform float scaleEnd;
          uniform float selectedBody;
          uniform vec3 accent;`,
        )
        .replace(
          '#include <color_fragment>',
          `int number = int(shownBody + 0.5);
          diffuseColor.rgb *= texelFetch(bodyColors, ivec2(number % ${tableWidth}, number / ${tableWidth}), 0).rgb;
          #ifdef SHOWS_FIELDS
            if (useRamp) {
              float part = (shownValue - scaleBegin) / (scaleEnd - scaleBegin);
              diffuseColor.rgb = texture2D(ramp, vec2(clamp(part, 0.0, 1.0), 0.5)).rgb;
            }
          #endif`,
        )
        .replace(
          '#include <opaque_fragment>',
          `if (abs(shownBody - selectedBody) < 0.5) {
            float rim = pow(1.0 - abs(dot(normal, normalize(vViewPosition))), 1.6);
            outgoingLight = mix(outgoingLight, accent, 0.1 + 0.9 * rim);
          }
          #include <opaque_fragment>`,
        )
    }
    return material
  }
}
