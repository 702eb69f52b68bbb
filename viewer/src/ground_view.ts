// A plane in the picture: a floor with a grid that fades into the distance and takes shadows.
import * as THREE from 'three'
import type { Theme } from './palette'

export class GroundView {
  readonly object: THREE.Mesh<THREE.CircleGeometry, THREE.MeshStandardMaterial>
  private readonly uniforms = {
    lineColor: { value: new THREE.Color() },
    cell: { value: 1 },
    reach: { value: 10 },
  }

  constructor() {
    const material = new THREE.MeshStandardMaterial({
      roughness: 1,
      metalness: 0,
      transparent: true,
      depthWrite: false,
    })
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms)
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec2 floorPlace;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nfloorPlace = position.xy;')
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          `#include <common>
          varying vec2 floorPlace;
          uniform vec3 lineColor;
          uniform float cell;
          uniform float reach;
          // How much of a pixel lines of that spacing cover; none where they would only flicker.
          float lines(float spacing, float thickness) {
            vec2 place = floorPlace / spacing;
            vec2 pixel = fwidth(place);
            vec2 distance = abs(fract(place - 0.5) - 0.5);
            vec2 covered = 1.0 - smoothstep(vec2(0.0), pixel * thickness, distance);
            return max(covered.x, covered.y) * (1.0 - smoothstep(0.15, 0.45, max(pixel.x, pixel.y)));
          }`,
        )
        .replace(
          '#include <color_fragment>',
          `float line = max(0.3 * lines(cell, 1.0), 0.6 * lines(10.0 * cell, 1.2));
          diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, line);
          diffuseColor.a *= 1.0 - smoothstep(0.1, 1.0, length(floorPlace) / reach);`,
        )
    }
    this.object = new THREE.Mesh(new THREE.CircleGeometry(1, 64), material)
    this.object.receiveShadow = true
    this.object.renderOrder = -1
  }

  setTheme(theme: Theme) {
    this.object.material.color.set(theme.ground)
    this.object.material.emissive.set(theme.ground) // so that shadows are not holes, where it is dark
    this.object.material.emissiveIntensity = theme.name === 'dark' ? 0.35 : 0
    this.uniforms.lineColor.value.set(theme.groundLine)
  }

  /** Lies in the plane, drawn around the place below `middle`; `size` is the scene's. */
  place(point: THREE.Vector3, normal: THREE.Vector3, middle: THREE.Vector3, size: number) {
    const below = middle.clone().addScaledVector(normal, -middle.clone().sub(point).dot(normal))
    const cell = 10 ** Math.round(Math.log10(size / 12))
    const reach = 4.5 * size
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal)
    // Lines go through the origin of the plane rather than through whatever lies in the middle.
    const local = below.clone().applyQuaternion(turn.clone().invert())
    local.set(Math.round(local.x / (10 * cell)) * 10 * cell, Math.round(local.y / (10 * cell)) * 10 * cell, local.z)
    this.object.position.copy(local.applyQuaternion(turn))
    this.object.quaternion.copy(turn)
    this.uniforms.cell.value = cell
    this.uniforms.reach.value = reach
    this.object.geometry.dispose()
    this.object.geometry = new THREE.CircleGeometry(reach, 64)
  }
}
