// What belongs to the shown frame beside its surface: contacts, joints, the states of bodies. Each is asked for when
// it is wanted, one question at a time: while frames follow each other quickly, some are left out.
import type { ArrowScale } from './arrow_scale'
import { ContactsView } from './contacts_view'
import type { Panel } from './panel'
import type { Picture } from './picture'
import type { RunClient } from './run_client'

interface Shown {
  index: number
  step: number
}

class Detail {
  wanted = false
  private asking = false

  constructor(
    private readonly shown: Shown,
    private readonly fetch: (index: number, step: number) => Promise<Float32Array>,
    private readonly use: (numbers: Float32Array) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  async ask() {
    if (!this.wanted || this.asking || this.shown.index < 0) return
    const { index, step } = this.shown
    this.asking = true
    try {
      const numbers = await this.fetch(index, step)
      if (this.wanted) this.use(numbers)
    } catch (error) {
      this.fail(error)
    }
    this.asking = false
    if (index !== this.shown.index) void this.ask()
  }
}

const nothing = new Float32Array()

export class FrameDetails {
  private readonly shown: Shown = { index: -1, step: 0 }
  private readonly contacts: Detail
  private readonly joints: Detail
  private readonly bodies: Detail
  private strongestContact = 0

  constructor(
    client: RunClient,
    private readonly picture: Picture,
    panel: Panel,
    private readonly arrowScale: ArrowScale,
    fail: (error: unknown) => void,
  ) {
    this.contacts = new Detail(
      this.shown,
      (index, step) => client.contacts(index, step),
      (contacts) => {
        // The scale only grows, so that arrows of different frames can be compared.
        this.strongestContact = Math.max(this.strongestContact, ContactsView.strongest(contacts))
        picture.showContacts(contacts, this.strongestContact)
        arrowScale.setStrongest(this.strongestContact)
      },
      fail,
    )
    this.joints = new Detail(
      this.shown,
      (index, step) => client.joints(index, step),
      (joints) => picture.showJoints(joints),
      fail,
    )
    this.bodies = new Detail(
      this.shown,
      (index, step) => client.bodies(index, step),
      (states) => panel.showState(states),
      fail,
    )
  }

  /** Another frame is on the screen. */
  show(index: number, step: number) {
    this.shown.index = index
    this.shown.step = step
    for (const detail of [this.contacts, this.joints, this.bodies]) void detail.ask()
  }

  get contactsWanted(): boolean {
    return this.contacts.wanted
  }
  get jointsWanted(): boolean {
    return this.joints.wanted
  }

  wantContacts(on: boolean) {
    this.contacts.wanted = on
    if (on) void this.contacts.ask()
    else {
      this.picture.showContacts(nothing, 1)
      this.arrowScale.setStrongest(0)
    }
  }

  wantJoints(on: boolean) {
    this.joints.wanted = on
    if (on) void this.joints.ask()
    else this.picture.showJoints(nothing)
  }

  wantBodies(on: boolean) {
    this.bodies.wanted = on
    if (on) void this.bodies.ask()
  }
}
