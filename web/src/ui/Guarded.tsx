import { Component, type ComponentType, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  /** What stands in its place after a fault. */
  Broken: ComponentType<{ retry: () => void }>;
}

/** Keeps a fault of one screen from taking the rest of the page along. */
export class Guarded extends Component<Props, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  #retry = () => this.setState({ broken: false });
  override render() {
    const { Broken, children } = this.props;
    return this.state.broken ? <Broken retry={this.#retry} /> : children;
  }
}
